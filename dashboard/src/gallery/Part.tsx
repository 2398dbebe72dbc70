import type { ReactNode } from "react";
import styles from "./gallery.module.css";

interface PartProps {
  title: string;
  /** One below the other instead of side by side. */
  isStacked?: boolean;
  children: ReactNode;
}

/** A kind of piece in its states. */
export const Part = ({ title, isStacked = false, children }: PartProps) => (
  <section aria-label={title}>
    <h2 className={styles.title}>{title}</h2>
    <div className={styles.row} data-stacked={isStacked || undefined}>
      {children}
    </div>
  </section>
);
