import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { dayOf } from "../days";
import { DayFilter } from "./DayFilter";
import { useListContext } from "./useList";
import styles from "./list.module.css";

const PERIODS = ["month", "lastMonth", "quarter", "lastQuarter", "year"] as const;
type Period = (typeof PERIODS)[number];

const WORDS: Record<Period, string> = {
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

/** Narrows the list to a usual period, or to days that are chosen; `label` stands above it beside others that have one. */
export function PeriodFilter({ label }: { label?: string }) {
  const { filters, setFilters } = useListContext();
  const [isChoosing, setChoosing] = useState(false);
  const { from = "", to = "" } = filters;
  const now = new Date();
  const usual = PERIODS.find((period) => {
    const days = daysOf(period, now);
    return days.from === from && days.to === to;
  });
  const isOwn = isChoosing || (!usual && (from !== "" || to !== ""));
  return (
    <>
      <TextField
        select
        label={label}
        className={styles.period}
        value={isOwn ? "own" : (usual ?? "")}
        onChange={({ target: { value } }) => {
          setChoosing(value === "own");
          const period = PERIODS.find((one) => one === value);
          if (period) setFilters(daysOf(period, now));
          else if (value === "") setFilters({ from: null, to: null });
        }}
        slotProps={{ select: { displayEmpty: true, inputProps: { "aria-label": t`Period` } } }}
      >
        <MenuItem value="">{t`Any time`}</MenuItem>
        {PERIODS.map((period) => (
          <MenuItem key={period} value={period}>
            {WORDS[period]}
          </MenuItem>
        ))}
        <MenuItem value="own">{t`Choose days…`}</MenuItem>
      </TextField>
      {isOwn && (
        <>
          <DayFilter name="from" label={t({ message: "From", context: "date" })} />
          <DayFilter name="to" label={t({ message: "To", context: "date" })} />
        </>
      )}
    </>
  );
}
