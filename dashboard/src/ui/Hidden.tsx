import type { HTMLAttributes } from "react";
import styles from "./hidden.module.css";

/** Words for screen readers only. */
export const Hidden = (props: HTMLAttributes<HTMLSpanElement>) => (
  <span className={styles.hidden} {...props} />
);
