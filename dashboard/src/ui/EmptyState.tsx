import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What will appear here, and how to get there. */
  children: ReactNode;
  action?: ReactNode;
}

/** Placeholder for an empty list, with a button to create the first item. */
export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <Stack sx={{ alignItems: "center", textAlign: "center", gap: 1, py: 6, px: 2 }}>
    {icon}
    <Typography variant="h6" component="p">
      {title}
    </Typography>
    <Typography color="textSecondary" component="div" sx={{ maxWidth: 460 }}>
      {children}
    </Typography>
    {action}
  </Stack>
);
