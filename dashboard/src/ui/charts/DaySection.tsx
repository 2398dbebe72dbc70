import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { utcDay } from "../formats";
import { ChartSection } from "./ChartSection";
import { DayChart } from "./DayChart";
import type { Series } from "./days";

interface DaySectionProps<T> {
  title: string;
  subtitle?: ReactNode;
  /** What is charted, if the title does not say it. */
  label?: string;
  days: T[] | undefined;
  series: Series<T>[];
  /** Additional table columns, whose values cannot be summed over days. */
  extraColumns?: Series<T>[];
  empty: string;
  /** Base of the file name; the date range is appended. */
  name: string;
}

/** A section with a chart and a table by day. */
export function DaySection<T extends { date: string }>(props: DaySectionProps<T>) {
  const { title, subtitle, label = title, days, series, extraColumns = [], empty, name } = props;
  return (
    <ChartSection
      title={title}
      subtitle={subtitle}
      columns={[
        { label: t`Day`, value: (day) => day.date, show: (day) => utcDay(day.date) },
        ...[...series, ...extraColumns].map((item) => ({ ...item, isFigure: true })),
      ]}
      rows={days}
      isEmpty={days?.every((day) => series.every((item) => item.value(day) === 0)) ?? false}
      empty={empty}
      fileName={[name, days?.[0]?.date, days?.at(-1)?.date].filter(Boolean).join("-")}
    >
      {(rows) => <DayChart label={label} days={rows} series={series} />}
    </ChartSection>
  );
}
