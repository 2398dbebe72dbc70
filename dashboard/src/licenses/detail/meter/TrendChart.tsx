import { useTheme } from "@mui/material/styles";
import { BarChart } from "@mui/x-charts/BarChart";
import type { Schemas } from "../../../api/types";
import { date, number, short } from "../../../ui/formats";

const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

interface TrendChartProps {
  days: Schemas["MeterDay"][];
  height: number;
}

export default function TrendChart({ days, height }: TrendChartProps) {
  const { palette } = useTheme();
  return (
    <BarChart
      height={height}
      margin={{ left: 0, right: 8 }}
      xAxis={[
        {
          data: days.map((day) => day.date),
          scaleType: "band",
          valueFormatter: (day: string, { location }) => {
            const at = `${day}T00:00:00`;
            return location === "tick" ? DAY.format(new Date(at)) : date(at);
          },
        },
      ]}
      yAxis={[{ width: 48, valueFormatter: (value: number) => short(value) }]}
      series={[
        {
          label: "Used",
          data: days.map((day) => day.consumed),
          color: palette.primary.main,
          valueFormatter: (value) => number(value ?? 0),
        },
        {
          label: "Granted",
          data: days.map((day) => day.granted),
          color: palette.success.main,
          valueFormatter: (value) => number(value ?? 0),
        },
      ]}
      grid={{ horizontal: true }}
    />
  );
}
