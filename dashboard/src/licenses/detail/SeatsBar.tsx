import { t } from "@lingui/core/macro";
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
export const SeatsBar = ({ used, total, label = t`Max active users` }: SeatsBarProps) => {
  const [taken, seats] = [number(used), number(total)];
  return (
    <Box sx={{ maxWidth: 320 }}>
      <Typography sx={{ fontVariantNumeric: "tabular-nums" }}>
        {t`${taken} of ${seats} used`}
      </Typography>
      <LinearProgress
        variant="determinate"
        aria-label={t`${label}: ${taken} of ${seats} used`}
        value={Math.min(100, (used / total) * 100)}
        color={used >= total ? "warning" : "primary"}
        sx={{ height: 6, borderRadius: 3, mt: 0.5 }}
      />
    </Box>
  );
};
