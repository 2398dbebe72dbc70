import LinearProgress from "@mui/material/LinearProgress";
import type { Schemas } from "../api/types";
import styles from "./portal.module.css";

/** How many of the seats are taken, as a bar beside the words; nothing where there are none. */
export function SeatMeter({ license }: { license: Schemas["PortalLicense"] }) {
  const { maxActiveUsersCount: seats, seatsUsed } = license;
  if (seats === null) return null;
  const used = seatsUsed ?? 0;
  return (
    <LinearProgress
      variant="determinate"
      value={Math.min(100, (used / seats) * 100)}
      color={seats > 1 && used >= seats ? "warning" : "primary"}
      className={styles.meter}
      aria-hidden
    />
  );
}
