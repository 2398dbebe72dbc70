import type { HTMLAttributes } from "react";
import styles from "./visuallyHidden.module.css";

/** For screen readers, where the others see it another way. */
export const VisuallyHidden = (props: HTMLAttributes<HTMLSpanElement>) => (
  <span className={styles.hidden} {...props} />
);
