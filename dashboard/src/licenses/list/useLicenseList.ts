import { parseQueryFromLocation, useListContext } from "ra-core";
import type { License } from "../../api/types";
import type { LicenseFilters } from "./listViews";

/** The filters in the URL: after two quick changes it is newer than the rendered state. */
const latest = (drawn: LicenseFilters): LicenseFilters =>
  (parseQueryFromLocation(window.location).filter as LicenseFilters | undefined) ?? drawn;

/** The list context with typed filters. */
export function useLicenseList() {
  const list = useListContext<License>();
  const filters = list.filterValues as LicenseFilters;
  return {
    ...list,
    filters,
    selectedIds: list.selectedIds as string[],
    /** Changes some filters; an empty value removes one. */
    setFilter: (change: Partial<Record<keyof LicenseFilters, string | number | null>>) => {
      const next = Object.entries({ ...latest(filters), ...change }).filter(
        ([, value]) => value !== null && value !== "",
      );
      list.setFilters(Object.fromEntries(next), {});
    },
    clear: () => {
      list.setFilters({}, {});
    },
  };
}
