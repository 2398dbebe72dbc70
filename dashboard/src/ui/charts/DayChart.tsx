import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import { number } from "../formats";
import { Row } from "../layout/layout";
import styles from "./charts.module.css";
import { seriesColor } from "./series";
import { Swatch } from "./Swatch";
import { spansOf, stepOf, type Series } from "./days";
import { lazy } from "../lazy";

const DayBars = lazy(() => import("./DayBars"));

interface DayChartProps<T> {
  /** What is charted: "Licenses per day". */
  label: string;
  days: T[];
  series: Series<T>[];
  height?: number;
}

/** A chart by day, with totals in the legend. */
export function DayChart<T extends { date: string }>(props: DayChartProps<T>) {
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
          <DayBars spans={spansOf(days, series)} series={series} />
        </Suspense>
      </div>
    </>
  );
}
