import Card from "@mui/material/Card";
import CardContent from "@mui/material/CardContent";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { HelpLink } from "./HelpLink";
import type { HelpTopic } from "./helpTopics";

interface SectionProps {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  help?: HelpTopic;
  children: ReactNode;
}

/** A card with a heading. */
export const Section = ({ title, subtitle, actions, help, children }: SectionProps) => (
  <Card component="section" aria-label={title} sx={{ minWidth: 0 }}>
    <CardContent sx={{ p: { xs: 2, sm: 2.5 } }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: "center", flexWrap: "wrap", mb: 1.5 }}>
        <Typography variant="h6" component="h2">
          {title}
        </Typography>
        {help && <HelpLink topic={help} />}
        <Stack direction="row" sx={{ gap: 1, ml: "auto", flexWrap: "wrap" }}>
          {actions}
        </Stack>
      </Stack>
      {subtitle && (
        <Typography color="textSecondary" component="div" sx={{ mb: 2, maxWidth: 720 }}>
          {subtitle}
        </Typography>
      )}
      {children}
    </CardContent>
  </Card>
);
