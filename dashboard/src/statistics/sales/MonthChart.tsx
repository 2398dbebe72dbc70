import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "../../api/types";
import { ChartSection } from "../../ui/charts/ChartSection";
import styles from "../../ui/charts/charts.module.css";
import { partialWords, type Series, type Span, todayUtc } from "../../ui/charts/days";
import { PartialNote } from "../../ui/charts/DaySection";
import { seriesColor, Swatch } from "../../ui/charts/series";
import { money, utcMonth } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { lazy } from "../../ui/lazy";
import { PageLink } from "../../ui/PageLink";
import { orderListPath } from "../../ui/paths";
import { toneFill } from "../../ui/status";
import { sumsOf } from "./Sums";

const DayBars = lazy(() => import("../../ui/charts/DayBars"));
const HEIGHT = 248;

type Month = Schemas["SalesOfMonth"];
type MonthSeries = Series<Month>;

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

/** The orders that were paid in a month, as far as the period has it; else those paid back. */
function ordersOf(month: string, { rows, currency, from, to, productId }: MonthChartProps): string {
  const [first, after] = [`${month}-01`, new Date(`${month}-01`)];
  after.setUTCMonth(after.getUTCMonth() + 1, 0);
  const last = after.toISOString().slice(0, 10);
  const isPaid = rows.some(
    (row) => row.month === month && row.currency === currency && row.orders > 0,
  );
  return orderListPath({
    from: first < from ? from : first,
    to: last > to ? to : last,
    ...(isPaid && { paidIn: currency }),
    productId,
  });
}

interface MonthChartProps {
  /** The sums of all currencies. */
  rows: Month[];
  currency: string;
  from: string;
  to: string;
  productId: string | null;
}

/** What was paid by month, new and for renewals, and below it what was paid back; months without orders are nothing, not left out. */
export function MonthChart(props: MonthChartProps) {
  const { rows, currency, from, to } = props;
  const navigate = useNavigate();
  const title = t`Sales by month`;
  const hasRenewals = rows.some((row) => row.currency === currency && row.renewals !== 0);
  const series: MonthSeries[] = [
    { label: hasRenewals ? t`New sales` : t`Paid`, value: (row) => row.amount - row.renewals },
    { label: t`Renewals`, value: (row) => row.renewals },
    { label: t`Refunded`, value: (row) => row.refunded, color: toneFill("over"), isBelow: true },
  ];
  const own = rows.filter((row) => row.currency === currency);
  const months = monthsBetween(from, to);
  const spansOf = (shown: Month[]): Span[] =>
    months.map((month) => ({
      first: `${month}-01`,
      label: utcMonth(`${month}-01`),
      short: utcMonth(`${month}-01`),
      values: series.map(({ value }) => {
        const row = shown.find((one) => one.month === month);
        return row ? value(row) : 0;
      }),
      partial: partialOf(month, from, to),
    }));
  return (
    <ChartSection
      title={title}
      columns={[
        {
          label: t`Month`,
          value: ({ month }) => month,
          show: ({ month }) => (
            <PageLink to={ordersOf(month, props)}>{utcMonth(`${month}-01`)}</PageLink>
          ),
        },
        ...sumsOf(),
      ]}
      rows={own}
      saved={rows}
      empty={t`No order of this period says what was paid. Test sales do not count.`}
      fileName="sales-by-month"
    >
      {(shown) => (
        <>
          <Row align="stretch" wraps className={styles.legend}>
            {series.map(({ label, value, color }, place) => {
              const total = shown.reduce((sum, row) => sum + value(row), 0);
              return (
                total !== 0 && (
                  <Row key={label} gap="s">
                    <Swatch color={color ?? seriesColor(place)} />
                    <span>
                      {label} <strong>{money(total, currency)}</strong>
                    </span>
                  </Row>
                )
              );
            })}
          </Row>
          <div
            role="img"
            aria-label={`${title}, ${currency}: ${shown
              .map((row) => `${utcMonth(`${row.month}-01`)} ${money(row.net, currency)}`)
              .join(", ")}.`}
            className={styles.days}
            style={{ minHeight: HEIGHT }}
          >
            <Suspense fallback={<Skeleton variant="rounded" height="100%" />}>
              <DayBars
                spans={spansOf(shown)}
                series={series}
                onOpen={(place) => {
                  const month = months[place];
                  if (month) void navigate(ordersOf(month, props));
                }}
              />
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
    ? partialWords(utcMonth(`${month}-01`), isLast ? to : from, today, isFirst ? from : undefined)
    : undefined;
}
