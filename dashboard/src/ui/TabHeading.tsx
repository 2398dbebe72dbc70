import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { HelpLink } from "./HelpLink";
import type { HelpTopic } from "./helpTopics";

interface TabHeadingProps {
  title: string;
  help: HelpTopic;
  action?: ReactNode;
  /** The ID of the heading, for what it labels. */
  id?: string;
  /** Description of the list below. */
  children: ReactNode;
}

/** Heading of a tab with a list, with a button to add an item. */
export const TabHeading = ({ title, help, action, id, children }: TabHeadingProps) => (
  <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 1.5, alignItems: "flex-start", mb: 1 }}>
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 0.5, alignItems: "center" }}>
        <Typography variant="h6" component="h2" id={id}>
          {title}
        </Typography>
        <HelpLink topic={help} />
      </Stack>
      <Typography color="textSecondary" sx={{ maxWidth: 720 }}>
        {children}
      </Typography>
    </Box>
    {action}
  </Stack>
);
