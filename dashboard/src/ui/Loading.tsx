import { t } from "@lingui/core/macro";
import CircularProgress from "@mui/material/CircularProgress";
import styles from "./loading.module.css";

/** What is shown until the code of a page has been loaded; at first nothing, so that it does not flash. */
export const Loading = () => (
  <div className={styles.room}>
    <CircularProgress size={22} aria-label={t`Loading`} />
  </div>
);
