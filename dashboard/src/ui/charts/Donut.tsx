import { PieChart } from "@mui/x-charts/PieChart";
import { number } from "../formats";
import styles from "./charts.module.css";
import { seriesColor } from "./series";

interface DonutProps {
  parts: { label: string; value: number; color?: string }[];
  size: number;
}

/** Shares of a whole as a donut chart. */
export default function Donut({ parts, size }: DonutProps) {
  return (
    <PieChart
      width={size}
      height={size}
      hideLegend
      disableKeyboardNavigation
      margin={4}
      className={styles.donut}
      series={[
        {
          innerRadius: "64%",
          outerRadius: "100%",
          data: parts.map((part, place) => ({
            ...part,
            id: part.label,
            color: part.color ?? seriesColor(place),
          })),
          valueFormatter: ({ value }) => number(value),
        },
      ]}
    />
  );
}
