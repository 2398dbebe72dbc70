import { utcDay } from "../ui/formats";
import type { Column } from "../ui/charts/FigureTable";
import type { Series } from "../ui/charts/days";

interface Day {
  date: string;
}

/** The table of a chart of days: the day, and a column for each series. */
export const dayColumns = <T extends Day>(series: Series<T>[]): Column<T>[] => [
  { label: "Day", value: (day) => day.date, show: (day) => utcDay(day.date) },
  ...series.map(({ label, value }) => ({ label, value, isFigure: true })),
];

/** Whether a chart of the days would have nothing in it. */
export const hasNothing = <T extends Day>(days: T[] | undefined, series: Series<T>[]) =>
  days?.every((day) => series.every((item) => item.value(day) === 0)) ?? false;
