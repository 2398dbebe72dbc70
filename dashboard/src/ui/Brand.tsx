import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";

/** Logo and name, linked to the home page. The app bar shows only the logo on phones. */
export const Brand = ({ to = "/" }: { to?: string }) => (
  <Stack
    component={Link}
    to={to}
    direction="row"
    aria-label="Licet, home"
    sx={{ alignItems: "center", gap: 1, color: "inherit", textDecoration: "none", minHeight: 32 }}
  >
    <Box component="img" src="/favicon.svg" alt="" width={24} height={24} />
    <Typography
      component="span"
      sx={{ fontWeight: 750, fontSize: "1.05rem", letterSpacing: "-0.02em" }}
    >
      Licet
    </Typography>
  </Stack>
);
