import type { ReactNode } from "react";
import styles from "./folded.module.css";

interface FoldedProps {
  /** From this width on, columns of their own say it. */
  until: "md" | "lg";
  children: ReactNode;
}

/** What columns say that are left out on narrow windows, below what names the row. */
export const Folded = ({ until, children }: FoldedProps) => (
  <div className={styles[until]}>{children}</div>
);
