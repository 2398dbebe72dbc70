import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import CardContent from "@mui/material/CardContent";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useEffect, useRef, type ReactNode } from "react";
import { Brand } from "../ui/Brand";
import { LanguageFootnote } from "../ui/locale/LanguageSelect";
import type { Vendor } from "../ui/vendor/useVendor";
import { useVendorColor } from "../ui/vendor/useVendorColor";
import { VendorBrand } from "../ui/vendor/VendorBrand";
import { Support } from "../ui/vendor/VendorWords";

interface AuthLayoutProps {
  title: string;
  subtitle?: ReactNode;
  /** Shown below the card, for example a link to another page. */
  footer?: ReactNode;
  /** Whose customers the page is for, if it is known. */
  vendor?: Vendor | undefined;
  children: ReactNode;
}

/** Layout of all pages for signed-out users: a single centered card. */
export function AuthLayout({ title, subtitle, footer, vendor, children }: AuthLayoutProps) {
  useVendorColor(vendor);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // If no field takes focus, move it to the heading so that screen readers start there.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <Box
      component="main"
      sx={{
        minHeight: "100vh",
        bgcolor: "background.default",
        color: "text.primary",
        display: "grid",
        gridTemplateColumns: "minmax(0, 1fr)",
        placeItems: { xs: "start center", sm: "center" },
        p: 2,
      }}
    >
      <title>{`${title} · ${vendor?.displayName ?? "Licet"}`}</title>
      <Stack sx={{ gap: 2.5, width: "100%", maxWidth: 420, py: { xs: 2, sm: 4 } }}>
        {vendor ? (
          <VendorBrand vendor={vendor} to={`/portal/access?vendor=${vendor.institutionId}`} />
        ) : (
          <Brand to="/login" />
        )}
        <Card>
          <CardContent sx={{ p: { xs: 2.5, sm: 3 } }}>
            <Typography
              ref={heading}
              tabIndex={-1}
              variant="h5"
              component="h1"
              sx={{ overflowWrap: "anywhere", "&:focus-visible": { outline: "none" } }}
            >
              {title}
            </Typography>
            {subtitle && (
              <Typography
                color="textSecondary"
                component="div"
                sx={{ mt: 0.5, overflowWrap: "anywhere" }}
              >
                {subtitle}
              </Typography>
            )}
            <Box sx={{ mt: 2.5 }}>{children}</Box>
          </CardContent>
        </Card>
        <Stack sx={{ gap: 1, alignItems: "center", textAlign: "center" }}>
          {footer}
          <LanguageFootnote />
        </Stack>
        {vendor && <Support vendor={vendor} />}
      </Stack>
    </Box>
  );
}
