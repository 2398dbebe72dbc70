import { useUrlParams } from "../../ui/useUrlParams";
import { FILTER_NAMES, type AuditFilter } from "./auditFilters";

/** The filter in the URL, and a function to change some of it. */
export function useAuditFilter(): [AuditFilter, (change: AuditFilter) => void] {
  const { params, change } = useUrlParams();
  const given = FILTER_NAMES.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  const setFilter = (filter: AuditFilter) => change({ ...filter });
  return [Object.fromEntries(given), setFilter];
}
