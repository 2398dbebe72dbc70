import { BarChart } from "@mui/x-charts/BarChart";
import { number, short } from "../formats";
import styles from "./charts.module.css";
import type { Series, Span } from "./days";
import { seriesColor } from "./series";

interface DayBarsProps {
  spans: Span[];
  series: Pick<Series<never>, "label" | "color" | "isBelow">[];
  /** Opens what a span is made of. A table has the same as links, for keyboards. */
  onOpen?: (place: number) => void;
}

/** More dates would stand too close, and some of them be left out at random. */
const LABELS = 8;
/** Longer figures do not fit beside the axis. */
const SHORTENED_FROM = 10_000;

/** Bars over time, as high as what holds them; more than two series are stacked. */
export default function DayBars({ spans, series, onOpen }: DayBarsProps) {
  const isWhole = spans.every((span) => span.values.every(Number.isInteger));
  const every = Math.ceil(spans.length / LABELS);
  const isStacked = series.length > 2;
  /** How far the bars of a span reach, above the axis or below it. */
  const reachOf = ({ values }: Span, below: boolean) => {
    const own = values.filter((_, place) => (series[place]?.isBelow ?? false) === below);
    return isStacked ? own.reduce((sum, value) => sum + value, 0) : Math.max(0, ...own);
  };
  const lowest = -Math.max(0, ...spans.map((span) => reachOf(span, true)));
  const top = Math.max(1, -lowest, ...spans.map((span) => reachOf(span, false)));
  return (
    <BarChart
      hideLegend
      disableKeyboardNavigation
      borderRadius={2}
      {...(onOpen && {
        className: styles.opens,
        onAxisClick: (_: unknown, data: { dataIndex: number } | null) => {
          if (data) onOpen(data.dataIndex);
        },
      })}
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
          valueFormatter: (place: number, { location }) => {
            const { short, label, partial } = spans[place] ?? {};
            return (location === "tick" ? short : (partial ?? label)) ?? "";
          },
        },
      ]}
      yAxis={[
        {
          // Not every language has a shorter form of thousands.
          width: top < SHORTENED_FROM ? 44 : 56,
          disableLine: true,
          disableTicks: true,
          tickLabelStyle: { fill: "var(--muted)" },
          ...(isWhole && { tickMinStep: 1 }),
          ...(top === 1 && { max: 2 }),
          // What was lost takes no more room than it needs.
          ...(lowest < 0 && { min: lowest }),
          valueFormatter: (value: number) =>
            (top < SHORTENED_FROM ? number(value) : short(value)).replace("-", "−"),
        },
      ]}
      slotProps={{
        // Less than a whole week or month is no fall. The lines of the grid do not shine through.
        bar: ({ dataIndex, color }) =>
          spans[dataIndex]?.partial
            ? { style: { fill: `color-mix(in srgb, ${color} 45%, var(--sheet))` } }
            : {},
      }}
      series={series.map(({ label, color, isBelow }, place) => ({
        label,
        data: spans.map((span) => (span.values[place] ?? 0) * (isBelow ? -1 : 1)),
        color: color ?? seriesColor(place),
        valueFormatter: (value: number | null) => number(Math.abs(value ?? 0)),
        ...(isStacked && { stack: "all" }),
      }))}
    />
  );
}
