import { shortDay, utcDay, utcMonth } from "../formats";

/** What is drawn as one bar: a day, or several that there is no room for one by one. */
export interface Span {
  label: string;
  /** For the axis. */
  short: string;
  values: number[];
}

export interface Series<T> {
  label: string;
  value: (day: T) => number;
  /** Where it is not the sum of the days. */
  total?: number;
}

const DAYS_ALONE = 92;
const DAYS_BY_WEEK = 400;

/** How the days of a chart are put together, by their number. */
export const stepOf = (days: number): "day" | "week" | "month" =>
  days <= DAYS_ALONE ? "day" : days <= DAYS_BY_WEEK ? "week" : "month";

/** The days in order, each alone or with those of its week (from the first day on) or month. */
export function spansOf<T extends { date: string }>(days: T[], series: Series<T>[]): Span[] {
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
    const month = step === "month" ? utcMonth(first) : null;
    return {
      label: month ?? (first === last ? utcDay(first) : `${utcDay(first)} – ${utcDay(last)}`),
      short: month ?? shortDay(first),
      values: series.map((item) => group.reduce((sum, day) => sum + item.value(day), 0)),
    };
  });
}
