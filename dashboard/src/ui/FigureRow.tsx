import type { ReactNode } from "react";
import styles from "./keyFigure.module.css";

/** Key figures beside each other, as many as fit. */
export const FigureRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className={styles.row}>
    {children}
  </section>
);
