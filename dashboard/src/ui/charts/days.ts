import { t } from "@lingui/core/macro";
import { shortDay, utcDay, utcMonth } from "../formats";

/** One bar of a chart: a day, or several days if there are too many to show each. */
export interface Span {
  /** Its first day, `YYYY-MM-DD`. */
  first: string;
  label: string;
  /** Axis label. */
  short: string;
  values: number[];
  /** Why it says less than the others, if it does: the period has a part of it, or it is not over. */
  partial?: string | undefined;
}

export interface Series<T> {
  label: string;
  value: (day: T) => number;
  /** The total, if it is not the sum of the days. */
  total?: number;
  /** Whether several days make their highest value, such as a peak, instead of their sum. */
  isPeak?: boolean;
  /** Whether it is drawn below zero: what was lost beside what was won. */
  isBelow?: boolean;
  /** The color of what it means; else that of its place. */
  color?: string;
}

/** More bars of days would be needles. */
const DAYS_ALONE = 45;
const DAYS_BY_WEEK = 200;

/** The length of a bar, by number of days. */
export const stepOf = (days: number): "day" | "week" | "month" =>
  days <= DAYS_ALONE ? "day" : days <= DAYS_BY_WEEK ? "week" : "month";

/** The UTC day that is not over, `YYYY-MM-DD`. */
export const todayUtc = (): string => new Date().toISOString().slice(0, 10);

/** In words, why the span that `label` names says less than the others; `first` if days before it are missing. */
export function partialWords(label: string, last: string, today: string, first?: string): string {
  if (last >= today) return t`${label} is not over.`;
  return first === undefined
    ? t`${label} only until ${{ day: shortDay(last) }}.`
    : t`${label} only from ${{ day: shortDay(first) }}.`;
}

/** Groups days by day, week (counted from the first day) or month. */
export function spansOf<T extends { date: string }>(
  days: T[],
  series: Series<T>[],
  today: string,
): Span[] {
  const step = stepOf(days.length);
  const groups = new Map<string, T[]>();
  days.forEach((day, place) => {
    const key =
      step === "month"
        ? day.date.slice(0, 7)
        : step === "week"
          ? String(Math.floor(place / 7))
          : day.date;
    groups.set(key, [...(groups.get(key) ?? []), day]);
  });
  return [...groups.values()].map((group) => {
    const [first = "", last = ""] = [group[0]?.date, group.at(-1)?.date];
    const [year = 0, ofYear = 0] = first.split("-").map(Number);
    const whole = { day: 1, week: 7, month: new Date(year, ofYear, 0).getDate() }[step];
    const month = step === "month" ? utcMonth(first) : null;
    const label = month ?? (first === last ? utcDay(first) : `${utcDay(first)} – ${utcDay(last)}`);
    const isPartial = group.length < whole || (step !== "day" && last >= today);
    return {
      first,
      label,
      short: month ?? shortDay(first),
      partial: isPartial
        ? partialWords(
            label,
            last,
            today,
            step === "month" && !first.endsWith("-01") ? first : undefined,
          )
        : undefined,
      values: series.map(({ value, isPeak }) => {
        const values = group.map(value);
        return isPeak ? Math.max(...values) : values.reduce((sum, one) => sum + one, 0);
      }),
    };
  });
}
