import { t } from "@lingui/core/macro";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import styles from "./detail.module.css";

interface SeatsBarProps {
  used: number;
  total: number;
  label?: string;
}

/** Number of seats in use. */
export const SeatsBar = ({ used, total, label = t`Max active users` }: SeatsBarProps) => {
  const [taken, seats] = [number(used), number(total)];
  return (
    <Column gap="xs" className={styles.seats}>
      <Typography className={styles.figure}>{t`${taken} of ${seats} used`}</Typography>
      <LinearProgress
        variant="determinate"
        aria-label={t`${label}: ${taken} of ${seats} used`}
        value={Math.min(100, (used / total) * 100)}
        color={used >= total ? "warning" : "primary"}
      />
    </Column>
  );
};
