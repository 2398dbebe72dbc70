import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import styles from "./banner.module.css";

/** Says why nothing new is loaded. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  if (isOnline) return null;
  return (
    <Alert severity="warning" className={styles.banner}>
      {t`You are offline. The page shows what was loaded before, and continues when you are connected again.`}
    </Alert>
  );
}
