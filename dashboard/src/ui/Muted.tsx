import Typography, { type TypographyProps } from "@mui/material/Typography";
import type { ElementType } from "react";

/** Small gray text: what explains, or stands in for something. */
export const Muted = (props: TypographyProps & { component?: ElementType }) => (
  <Typography variant="body2" color="textSecondary" {...props} />
);
