import Skeleton from "@mui/material/Skeleton";
import { Link } from "react-router";
import { number } from "./formats";
import styles from "./keyFigure.module.css";

interface KeyFigureProps {
  label: string;
  /** Undefined while loading. */
  value: number | undefined;
  hint?: string;
  to?: string;
}

/** A labeled figure, optionally linked to its list. */
export function KeyFigure({ label, value, hint, to }: KeyFigureProps) {
  const content = (
    <>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {value === undefined ? <Skeleton width="3ch" /> : number(value)}
      </p>
      {hint && <p className={styles.hint}>{hint}</p>}
    </>
  );
  return (
    <div role="group" aria-label={label} className={styles.figure}>
      {to ? (
        <Link to={to} className={styles.content}>
          {content}
        </Link>
      ) : (
        <div className={styles.content}>{content}</div>
      )}
    </div>
  );
}
