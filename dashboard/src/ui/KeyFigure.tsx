import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { number } from "./formats";
import { FallIcon, RiseIcon } from "./icons";
import styles from "./keyFigure.module.css";

interface KeyFigureProps {
  label: string;
  /** A figure, or one in words such as a share; undefined while loading. */
  value: number | string | undefined;
  /** What it was in the period of the same length before. */
  previous?: number | undefined;
  /** The figure in words, if it is no plain number. */
  show?: (value: number) => string;
  /** Which change is good news, if one is. */
  wanted?: "more" | "less";
  hint?: string;
  to?: string;
}

/** A labeled figure, optionally with its change and linked to its list. */
export function KeyFigure(props: KeyFigureProps) {
  const { label, value, previous, show = number, wanted, hint, to } = props;
  const content = (
    <>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {typeof value === "number" ? show(value) : (value ?? <Skeleton width="3ch" />)}
      </p>
      {previous !== undefined && typeof value === "number" && (
        <Change {...{ value, previous, show, wanted }} />
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

interface ChangeProps {
  value: number;
  previous: number;
  show: (value: number) => string;
  wanted: "more" | "less" | undefined;
}

/** What it was before, whatever it counts; only where the change is bad news, it has a color. */
function Change({ value, previous, show, wanted }: ChangeProps) {
  if (value === previous) return <p className={styles.hint}>{t`No change`}</p>;
  const before = show(previous);
  const isMore = value > previous;
  const Icon = isMore ? RiseIcon : FallIcon;
  const isBad = wanted === (isMore ? "less" : "more");
  return (
    <p className={isBad ? styles.worse : styles.hint}>
      <Icon aria-hidden /> {isMore ? t`Up from ${before}` : t`Down from ${before}`}
    </p>
  );
}

/** Key figures in an even grid. */
export const FigureRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className={styles.row}>
    {children}
  </section>
);
