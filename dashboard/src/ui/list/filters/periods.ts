import { t } from "@lingui/core/macro";
import { dayOf } from "../../days";
import { utcDay } from "../../formats";
import type { Filters } from "../useList";
import type { FilterKind } from "./filter";

const PERIODS = ["month", "lastMonth", "quarter", "lastQuarter", "year"] as const;
type Period = (typeof PERIODS)[number];

const PERIOD_WORDS: Record<Period, string> = {
  month: t`This month`,
  lastMonth: t`Last month`,
  quarter: t`This quarter`,
  lastQuarter: t`Last quarter`,
  year: t`This year`,
};

/** The first and the last day of a period. */
function daysOf(period: Period, now: Date): { from: string; to: string } {
  const [year, month] = [now.getFullYear(), now.getMonth()];
  const quarter = month - (month % 3);
  const [first, months] = {
    month: [month, 1],
    lastMonth: [month - 1, 1],
    quarter: [quarter, 3],
    lastQuarter: [quarter - 3, 3],
    year: [0, 12],
  }[period] as [number, number];
  return {
    from: dayOf(new Date(year, first, 1)),
    to: dayOf(new Date(year, first + months, 0)),
  };
}

/** The usual period that two days are, if they are one. */
const periodOf = ({ from, to }: Filters, now: Date): Period | undefined =>
  PERIODS.find((period) => {
    const days = daysOf(period, now);
    return days.from === from && days.to === to;
  });

/** "Last month", "Since Nov 3, 2026", or from which day until which. */
function periodWords(filters: Filters): string {
  const period = periodOf(filters, new Date());
  if (period) return PERIOD_WORDS[period];
  const { from, to } = filters;
  if (!from) return t`Until ${{ day: utcDay(to ?? "") }}`;
  if (!to) return t`Since ${{ day: utcDay(from) }}`;
  return from === to ? utcDay(from) : `${utcDay(from)} – ${utcDay(to)}`;
}

/** A filter by days, both included, as `from` and `to`. */
export const PERIOD_KIND: FilterKind = {
  name: "from",
  also: ["to"],
  label: t`Period`,
  choices: PERIODS.map((period) => [period, PERIOD_WORDS[period]]),
  set: (period) => daysOf(period as Period, new Date()),
  editor: "period",
  other: t`Choose days…`,
  words: periodWords,
};
