import { parseQueryFromLocation, useListContext } from "ra-core";
import type { License } from "../../api/types";
import type { LicenseFilters } from "./listViews";

/** The filters in the address: it is ahead of what is drawn when two changes follow fast. */
const latest = (drawn: LicenseFilters): LicenseFilters =>
  (parseQueryFromLocation(window.location).filter as LicenseFilters | undefined) ?? drawn;

/** The list as it stands, with its filters typed. */
export function useLicenseList() {
  const list = useListContext<License>();
  const filters = list.filterValues as LicenseFilters;
  return {
    ...list,
    filters,
    selectedIds: list.selectedIds as string[],
    /** Changes some filters; an empty value takes one away. */
    narrow: (change: Partial<Record<keyof LicenseFilters, string | number | null>>) => {
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
