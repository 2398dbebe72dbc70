import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import type { Schemas } from "../../api/types";
import { ChartSection } from "../../ui/charts/ChartSection";
import styles from "../../ui/charts/charts.module.css";
import { partialWords, type Span, todayUtc } from "../../ui/charts/days";
import { PartialNote } from "../../ui/charts/DaySection";
import { money, utcMonth } from "../../ui/formats";
import { lazy } from "../../ui/lazy";
import { SUMS } from "./Sums";

const DayBars = lazy(() => import("../../ui/charts/DayBars"));
const HEIGHT = 248;

type Month = Schemas["SalesOfMonth"];

/** The months from one day to another, as `YYYY-MM`. */
function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  const month = new Date(`${from.slice(0, 7)}-01`);
  while (month.toISOString() <= `${to}T24`) {
    months.push(month.toISOString().slice(0, 7));
    month.setUTCMonth(month.getUTCMonth() + 1);
  }
  return months;
}

interface MonthChartProps {
  /** The sums of all currencies. */
  rows: Month[];
  currency: string;
  from: string;
  to: string;
}

/** What a currency brought in, by month; months without orders are nothing, not left out. */
export function MonthChart({ rows, currency, from, to }: MonthChartProps) {
  const title = t`Sales by month`;
  const label = t`Net, ${currency}`;
  const own = rows.filter((row) => row.currency === currency);
  const months = monthsBetween(from, to);
  const spansOf = (shown: Month[]): Span[] =>
    months.map((month) => ({
      label: utcMonth(`${month}-01`),
      short: utcMonth(`${month}-01`),
      values: [shown.find((row) => row.month === month)?.net ?? 0],
      partial: partialOf(month, from, to),
    }));
  return (
    <ChartSection
      title={title}
      columns={[
        {
          label: t`Month`,
          value: ({ month }) => month,
          show: ({ month }) => utcMonth(`${month}-01`),
        },
        ...SUMS,
      ]}
      rows={own}
      saved={rows}
      empty={t`No order of this period says what was paid. Test sales do not count.`}
      fileName="sales-by-month"
    >
      {(shown) => (
        <>
          <div
            role="img"
            aria-label={`${title}, ${currency}: ${shown
              .map((row) => `${utcMonth(`${row.month}-01`)} ${money(row.net, currency)}`)
              .join(", ")}.`}
            className={styles.days}
            style={{ minHeight: HEIGHT }}
          >
            <Suspense fallback={<Skeleton variant="rounded" height="100%" />}>
              <DayBars spans={spansOf(shown)} series={[{ label }]} />
            </Suspense>
          </div>
          <PartialNote spans={spansOf(shown)} />
        </>
      )}
    </ChartSection>
  );
}

/** Why a month says less than the others, if the period has a part of it, or it is not over. */
function partialOf(month: string, from: string, to: string): string | undefined {
  const [today, after] = [todayUtc(), new Date(Date.parse(to) + 86_400_000)];
  const isFirst = from.startsWith(month) && !from.endsWith("-01");
  const isLast = to.startsWith(month) && (after.getUTCDate() !== 1 || to >= today);
  return isFirst || isLast
    ? partialWords(utcMonth(`${month}-01`), isLast ? to : from, today)
    : undefined;
}
