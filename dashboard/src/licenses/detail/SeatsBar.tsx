import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { number } from "../../ui/formats";

interface SeatsBarProps {
  used: number;
  total: number;
  label?: string;
}

/** Number of seats in use. */
export const SeatsBar = ({ used, total, label = "Max active users" }: SeatsBarProps) => (
  <Box sx={{ maxWidth: 320 }}>
    <Typography sx={{ fontVariantNumeric: "tabular-nums" }}>
      {number(used)} of {number(total)} used
    </Typography>
    <LinearProgress
      variant="determinate"
      aria-label={`${label}: ${number(used)} of ${number(total)} used`}
      value={Math.min(100, (used / total) * 100)}
      color={used >= total ? "warning" : "primary"}
      sx={{ height: 6, borderRadius: 3, mt: 0.5 }}
    />
  </Box>
);
