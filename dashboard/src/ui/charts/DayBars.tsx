import { BarChart } from "@mui/x-charts/BarChart";
import { number, short } from "../formats";
import styles from "./charts.module.css";
import type { Series, Span } from "./days";
import { seriesColor } from "./series";

interface DayBarsProps {
  spans: Span[];
  series: Pick<Series<never>, "label" | "color" | "isBelow">[];
}

/** More dates would stand too close, and some of them be left out at random. */
const LABELS = 8;
/** Longer figures do not fit beside the axis. */
const SHORTENED_FROM = 10_000;

/** Bars over time, as high as what holds them; more than two series are stacked. */
export default function DayBars({ spans, series }: DayBarsProps) {
  const isWhole = spans.every((span) => span.values.every(Number.isInteger));
  const every = Math.ceil(spans.length / LABELS);
  const top = Math.max(1, ...spans.map((span) => Math.max(...span.values)));
  return (
    <BarChart
      hideLegend
      disableKeyboardNavigation
      borderRadius={2}
      // Half of the last date stands beside the last bar.
      margin={{ left: 0, right: 24, top: 12, bottom: 0 }}
      grid={{ horizontal: true }}
      xAxis={[
        {
          data: spans.map((_, place) => place),
          scaleType: "band",
          height: 28,
          disableLine: true,
          disableTicks: true,
          tickInterval: (_, place) => place % every === 0,
          tickLabelStyle: { fill: "var(--muted)" },
          valueFormatter: (place: number, { location }) =>
            spans[place]?.[location === "tick" ? "short" : "label"] ?? "",
        },
      ]}
      yAxis={[
        {
          width: 44,
          disableLine: true,
          disableTicks: true,
          tickLabelStyle: { fill: "var(--muted)" },
          ...(isWhole && { tickMinStep: 1 }),
          ...(top === 1 && { max: 2 }),
          valueFormatter: (value: number) =>
            top < SHORTENED_FROM ? number(Math.abs(value)) : short(Math.abs(value)),
        },
      ]}
      slotProps={{
        bar: ({ dataIndex }) => (spans[dataIndex]?.isPartial ? { className: styles.partial } : {}),
      }}
      series={series.map(({ label, color, isBelow }, place) => ({
        label,
        data: spans.map((span) => (span.values[place] ?? 0) * (isBelow ? -1 : 1)),
        color: color ?? seriesColor(place),
        valueFormatter: (value: number | null) => number(Math.abs(value ?? 0)),
        ...(series.length > 2 && { stack: "all" }),
      }))}
    />
  );
}
