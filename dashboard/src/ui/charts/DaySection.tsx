import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Button from "@mui/material/Button";
import { type ReactNode, Suspense, useState } from "react";
import { number, utcDay } from "../formats";
import { Row } from "../layout/layout";
import { lazy } from "../lazy";
import { Muted } from "../Muted";
import styles from "./charts.module.css";
import { ChartSection } from "./ChartSection";
import type { Column } from "./FigureTable";
import { type Series, type Span, spansOf, stepOf, todayUtc } from "./days";
import { seriesColor, Swatch } from "./series";

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

/** A section with a chart, and a table by what its bars stand for; by day, if that is chosen. */
export function DaySection<T extends { date: string }>(props: DaySectionProps<T>) {
  const { title, subtitle, label = title, days, series, extraColumns = [], empty, name } = props;
  const [isByDay, setByDay] = useState(false);
  const step = stepOf(days?.length ?? 0);
  const byDay: Column<T>[] = [
    { label: t`Day`, value: (day) => day.date, show: (day) => utcDay(day.date) },
    ...[...series, ...extraColumns].map((item) => ({ ...item, isFigure: true })),
  ];
  const bySpan: Column<Span>[] = [
    {
      label: step === "month" ? t`Month` : t`Week`,
      value: (span) => (step === "month" ? span.first.slice(0, 7) : span.first),
      show: (span) => span.label,
    },
    ...series.map((item, place) => ({
      label: item.label,
      value: (span: Span) => span.values[place] ?? 0,
      isFigure: true,
    })),
  ];
  const shared = {
    title,
    subtitle,
    isEmpty: days?.every((day) => series.every((item) => item.value(day) === 0)) ?? false,
    empty,
    fileName: [name, days?.[0]?.date, days?.at(-1)?.date].filter(Boolean).join("-"),
    tableActions: step !== "day" && (
      <Button size="small" onClick={() => setByDay(!isByDay)}>
        {!isByDay ? t`By day` : step === "month" ? t`By month` : t`By week`}
      </Button>
    ),
    children: () => days && <DayChart label={label} days={days} series={series} />,
  };
  return isByDay || step === "day" ? (
    <ChartSection {...shared} columns={byDay} rows={days} />
  ) : (
    <ChartSection {...shared} columns={bySpan} rows={days && spansOf(days, series, todayUtc())} />
  );
}

/** Below a chart: why bars in it are pale. */
export function PartialNote({ spans }: { spans: Span[] }) {
  const reasons = spans.flatMap(({ partial }) => partial ?? []);
  return reasons.length > 0 && <Muted>{reasons.join(" ")}</Muted>;
}

const DayBars = lazy(() => import("./DayBars"));

interface DayChartProps<T> {
  /** What is charted: "Licenses per day". */
  label: string;
  days: T[];
  series: Series<T>[];
  height?: number;
}

/** A chart by day, with totals in the legend. */
function DayChart<T extends { date: string }>(props: DayChartProps<T>) {
  const { label, days, series, height = 248 } = props;
  const totals = series.map(
    (item) => item.total ?? days.reduce((sum, day) => sum + item.value(day), 0),
  );
  const totalsText = series
    .map((item, place) => `${item.label} ${number(totals[place] ?? 0)}`)
    .join(", ");
  const texts = {
    day: t`${label}, by day. ${totalsText}. See the table for every day.`,
    week: t`${label}, by week. ${totalsText}. See the table for every day.`,
    month: t`${label}, by month. ${totalsText}. See the table for every day.`,
  };
  const spans = spansOf(days, series, todayUtc());
  return (
    <>
      <Row align="stretch" wraps className={styles.legend}>
        {series.map((item, place) => (
          <Row key={item.label} gap="s">
            <Swatch color={item.color ?? seriesColor(place)} />
            <span>
              {item.label} <strong>{number(totals[place] ?? 0)}</strong>
            </span>
          </Row>
        ))}
      </Row>
      <div
        role="img"
        aria-label={texts[stepOf(days.length)]}
        className={styles.days}
        style={{ minHeight: height }}
      >
        <Suspense fallback={<Skeleton variant="rounded" height="100%" />}>
          <DayBars spans={spans} series={series} />
        </Suspense>
      </div>
      <PartialNote spans={spans} />
    </>
  );
}
