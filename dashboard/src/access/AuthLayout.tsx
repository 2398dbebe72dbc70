import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useEffect, useRef, type ReactNode } from "react";
import { Brand } from "../ui/Brand";
import { Column } from "../ui/layout/layout";
import { LanguageFootnote } from "../ui/locale/LanguageSelect";
import {
  type Vendor,
  PortalBrand,
  useVendorColor,
  VendorBrand,
  Support,
} from "../ui/vendor/vendor";
import styles from "./access.module.css";

interface AuthLayoutProps {
  title: string;
  subtitle?: ReactNode;
  /** Shown below the card, for example a link to another page. */
  footer?: ReactNode;
  /** Whose customers the page is for, if it is known. */
  vendor?: Vendor | undefined;
  /** Whether it leads to the portal, whose maker no customer knows. */
  isPortal?: boolean;
  /** Wide enough for what is more than a form. */
  isWide?: boolean;
  children: ReactNode;
}

/** Layout of all pages for signed-out users: a single centered card, its parts below each other. */
export function AuthLayout(props: AuthLayoutProps) {
  const { title, subtitle, footer, vendor, isPortal = false, isWide = false, children } = props;
  useVendorColor(vendor);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // If no field takes focus, move it to the heading so that screen readers start there.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <main className={styles.page}>
      <title>{`${title} · ${vendor?.displayName ?? (isPortal ? t`License portal` : "Licet")}`}</title>
      <Column gap="l" className={styles.middle} data-wide={isWide || undefined}>
        {vendor ? (
          <VendorBrand vendor={vendor} to={`/portal/access?vendor=${vendor.institutionId}`} />
        ) : isPortal ? (
          <PortalBrand vendor={undefined} />
        ) : (
          <Brand to="/login" />
        )}
        <Card>
          <Column gap="l" className={styles.card}>
            <Column gap="xs">
              <Typography
                ref={heading}
                tabIndex={-1}
                variant="h5"
                component="h1"
                className={styles.title}
              >
                {title}
              </Typography>
              {subtitle && (
                <Typography color="textSecondary" component="div">
                  {subtitle}
                </Typography>
              )}
            </Column>
            {children}
          </Column>
        </Card>
        <Column gap="s" align="center" className={styles.foot}>
          {footer}
          <LanguageFootnote />
        </Column>
        {vendor && <Support vendor={vendor} />}
      </Column>
    </main>
  );
}
