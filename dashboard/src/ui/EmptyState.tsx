import type { ReactNode } from "react";
import styles from "./emptyState.module.css";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What will appear here, and how to get there. */
  children: ReactNode;
  /** One or two buttons: the next step. */
  action?: ReactNode;
}

/** Placeholder for an empty list, with a button to create the first item. */
export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className={styles.state}>
    {icon && (
      <span aria-hidden className={styles.icon}>
        {icon}
      </span>
    )}
    <p className={styles.title}>{title}</p>
    <div className={styles.text}>{children}</div>
    {action && <div className={styles.action}>{action}</div>}
  </div>
);
