import { useTheme } from "@mui/material/styles";
import { PieChart } from "@mui/x-charts/PieChart";
import { number } from "../formats";

interface DonutProps {
  parts: { label: string; value: number }[];
  size: number;
}

/** Shares of a whole as a donut chart. */
export default function Donut({ parts, size }: DonutProps) {
  const { charts, background, text } = useTheme().palette;
  return (
    <PieChart
      width={size}
      height={size}
      hideLegend
      disableKeyboardNavigation
      margin={4}
      sx={{ "& .MuiPieArc-root": { stroke: background.paper, strokeWidth: 2 } }}
      series={[
        {
          innerRadius: "64%",
          outerRadius: "100%",
          data: parts.map((part, place) => ({
            ...part,
            id: part.label,
            color: charts[place % charts.length] ?? text.primary,
          })),
          valueFormatter: ({ value }) => number(value),
        },
      ]}
    />
  );
}
