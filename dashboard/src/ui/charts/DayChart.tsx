import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Suspense } from "react";
import { number } from "../formats";
import { seriesColor } from "./series";
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
      <Stack direction="row" sx={{ flexWrap: "wrap", columnGap: 2.5, minHeight: 28 }}>
        {series.map((item, place) => (
          <Stack key={item.label} direction="row" sx={{ gap: 0.75, alignItems: "center" }}>
            <Box
              aria-hidden
              sx={{
                width: 10,
                height: 10,
                borderRadius: 0.25,
                bgcolor: seriesColor(place),
              }}
            />
            <Typography variant="body2" color="textSecondary">
              {item.label}{" "}
              <Box component="strong" sx={{ color: "text.primary" }}>
                {number(totals[place] ?? 0)}
              </Box>
            </Typography>
          </Stack>
        ))}
      </Stack>
      <Box role="img" aria-label={texts[stepOf(days.length)]} sx={{ height }}>
        <Suspense fallback={<Skeleton variant="rounded" height={height} />}>
          <DayBars
            spans={spansOf(days, series)}
            labels={series.map((item) => item.label)}
            height={height}
          />
        </Suspense>
      </Box>
    </>
  );
}
