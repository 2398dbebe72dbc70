import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { number, percent } from "./formats";
import { FallIcon, RiseIcon } from "./icons";
import styles from "./keyFigure.module.css";

interface KeyFigureProps {
  label: string;
  /** A figure, or one in words such as a share; undefined while loading. */
  value: number | string | undefined;
  /** What it was in the period of the same length before. */
  previous?: number | undefined;
  hint?: string;
  to?: string;
}

/** A labeled figure, optionally with its change and linked to its list. */
export function KeyFigure({ label, value, previous, hint, to }: KeyFigureProps) {
  const content = (
    <>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {typeof value === "number" ? number(value) : (value ?? <Skeleton width="3ch" />)}
      </p>
      {previous !== undefined && typeof value === "number" && (
        <Change value={value} previous={previous} />
      )}
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

const FEW = 20;

/** More or less than before says nothing of good or bad, so that it has no color. */
function Change({ value, previous }: { value: number; previous: number }) {
  if (value === previous) return <p className={styles.hint}>{t`No change`}</p>;
  if (previous === 0)
    return <p className={styles.hint}>{t({ message: "New", context: "figure" })}</p>;
  const Icon = value > previous ? RiseIcon : FallIcon;
  // A percentage of a few says nothing.
  const change =
    previous < FEW ? number(Math.abs(value - previous)) : percent(Math.abs(value / previous - 1));
  const before = number(previous);
  return (
    <p className={styles.hint}>
      <Icon aria-hidden />{" "}
      {value > previous ? t`${change} more than ${before}` : t`${change} less than ${before}`}
    </p>
  );
}

/** Key figures beside each other, as many as fit. */
export const FigureRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className={styles.row}>
    {children}
  </section>
);
