import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { number, wholePercent } from "./formats";
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
  /** How far apart two values are, in words: "30%". */
  difference?: (value: number, previous: number, show: (value: number) => string) => string;
  /** Which change is good news, if one is. */
  wanted?: "more" | "less";
  hint?: string;
  to?: string;
}

/** A labeled figure, optionally with its change and linked to its list. */
export function KeyFigure(props: KeyFigureProps) {
  const { label, value, previous, show = number, difference = apart, wanted, hint, to } = props;
  const content = (
    <>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {typeof value === "number" ? show(value) : (value ?? <Skeleton width="3ch" />)}
      </p>
      {previous !== undefined && typeof value === "number" && (
        <Change {...{ value, previous, show, difference, wanted }} />
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
/** Less is no whole percent. */
const LEAST = 0.005;

/** In percent, apart from a few and from little: their percentage says nothing. */
function apart(value: number, previous: number, show: (value: number) => string): string {
  const part = Math.abs(value / previous - 1);
  return previous < FEW || part < LEAST ? show(Math.abs(value - previous)) : wholePercent(part);
}

interface ChangeProps {
  value: number;
  previous: number;
  show: (value: number) => string;
  difference: (value: number, previous: number, show: (value: number) => string) => string;
  wanted: "more" | "less" | undefined;
}

/** More or less than before; only where that is bad news, it has a color. */
function Change({ value, previous, show, difference, wanted }: ChangeProps) {
  if (value === previous) return <p className={styles.hint}>{t`No change`}</p>;
  const before = show(previous);
  if (previous === 0 && difference === apart)
    return <p className={styles.hint}>{t`None before`}</p>;
  const isMore = value > previous;
  const Icon = isMore ? RiseIcon : FallIcon;
  const change = difference(value, previous, show);
  const isBad = wanted === (isMore ? "less" : "more");
  return (
    <p className={isBad ? styles.worse : styles.hint}>
      <Icon aria-hidden />{" "}
      {difference === apart && previous >= FEW && value >= 2 * previous
        ? t`${{ factor: number(Math.round((value / previous) * 10) / 10) }}x of ${before}`
        : isMore
          ? t`${change} more than ${before}`
          : t`${change} less than ${before}`}
    </p>
  );
}

/** Key figures beside each other, as many as fit. */
export const FigureRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className={styles.row}>
    {children}
  </section>
);
