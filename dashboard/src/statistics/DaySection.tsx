import { ChartSection } from "../ui/charts/ChartSection";
import { DayChart } from "../ui/charts/DayChart";
import type { Series } from "../ui/charts/days";
import { dayColumns, hasNothing } from "./columns";
import { useFilters } from "./filters/useFilters";

interface DaySectionProps<T> {
  title: string;
  days: T[] | undefined;
  series: Series<T>[];
  /** Further columns of the table, of what cannot be added up over days. */
  besides?: Series<T>[];
  empty: string;
  /** What the file is of. */
  name: string;
}

/** What happened on each day of the period. */
export function DaySection<T extends { date: string }>(props: DaySectionProps<T>) {
  const { title, days, series, besides = [], empty, name } = props;
  const { filters } = useFilters();
  return (
    <ChartSection
      title={title}
      columns={dayColumns([...series, ...besides])}
      rows={days}
      isEmpty={hasNothing(days, series)}
      empty={empty}
      fileName={`${name}-${filters.from}-${filters.to}`}
    >
      {(rows) => <DayChart label={title} days={rows} series={series} />}
    </ChartSection>
  );
}
