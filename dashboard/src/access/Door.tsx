import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import CardContent from "@mui/material/CardContent";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Brand } from "../ui/Brand";

interface DoorProps {
  title: string;
  subtitle?: ReactNode;
  children: ReactNode;
}

/** The frame of all pages in front of the sign-in: one card, one thing to do. */
export const Door = ({ title, subtitle, children }: DoorProps) => (
  <Box
    component="main"
    sx={{
      minHeight: "100vh",
      bgcolor: "background.default",
      color: "text.primary",
      display: "grid",
      placeItems: { xs: "start center", sm: "center" },
      p: 2,
    }}
  >
    <title>{`${title} · Licet`}</title>
    <Stack sx={{ gap: 2.5, width: "100%", maxWidth: 420, pt: { xs: 4, sm: 0 } }}>
      <Brand to="/login" />
      <Card>
        <CardContent sx={{ p: 3 }}>
          <Typography variant="h5" component="h1">
            {title}
          </Typography>
          {subtitle && (
            <Typography color="textSecondary" component="div" sx={{ mt: 0.5 }}>
              {subtitle}
            </Typography>
          )}
          <Box sx={{ mt: 2.5 }}>{children}</Box>
        </CardContent>
      </Card>
    </Stack>
  </Box>
);
