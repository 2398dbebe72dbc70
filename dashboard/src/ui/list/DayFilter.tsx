import { DateFilterField } from "../DateFilterField";
import { useListContext } from "./useList";

interface DayFilterProps {
  name: string;
  /** Accessible name: "From". */
  label: string;
}

/** Narrows the list to what happened from a day on, or until then. */
export function DayFilter({ name, label }: DayFilterProps) {
  const { filters, setFilters } = useListContext();
  return (
    <DateFilterField
      label={label}
      value={filters[name] ?? ""}
      onChange={(day) => setFilters({ [name]: day })}
    />
  );
}
