import ArrowBackIcon from "@mui/icons-material/ArrowBack";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { HelpLink } from "./HelpLink";
import type { HelpTopic } from "./helpTopics";

interface PageProps {
  title: string;
  /** Shown next to the title, such as a status. */
  mark?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  help?: HelpTopic;
  back?: { to: string; label: string };
  children: ReactNode;
}

/** A page with heading, actions and an optional back link. */
export const Page = ({ title, mark, subtitle, actions, help, back, children }: PageProps) => (
  <Box sx={{ pt: { xs: 2, sm: 3 }, maxWidth: 1440, mx: "auto", width: "100%" }}>
    <title>{`${title} · Licet`}</title>
    {back && (
      <Link
        component={RouterLink}
        to={back.to}
        underline="hover"
        variant="body2"
        sx={{ display: "inline-flex", alignItems: "center", gap: 0.5, mb: 1, minHeight: 24 }}
      >
        <ArrowBackIcon fontSize="inherit" aria-hidden />
        {back.label}
      </Link>
    )}
    <Stack
      direction={{ xs: "column", md: "row" }}
      sx={{ gap: 1.5, mb: 2.5, alignItems: { md: "flex-start" } }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Stack direction="row" sx={{ gap: 1.25, alignItems: "center", flexWrap: "wrap" }}>
          <Typography variant="h5" component="h1" sx={{ overflowWrap: "anywhere" }}>
            {title}
          </Typography>
          {mark}
          {help && <HelpLink topic={help} />}
        </Stack>
        {subtitle && (
          <Typography component="div" color="textSecondary" sx={{ mt: 0.5 }}>
            {subtitle}
          </Typography>
        )}
      </Box>
      {actions && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap", alignItems: "center" }}>
          {actions}
        </Stack>
      )}
    </Stack>
    {children}
  </Box>
);
