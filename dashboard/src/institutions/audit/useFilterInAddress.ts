import { useAddressParams } from "../../ui/useAddressParams";
import { FILTER_NAMES, type AuditFilter } from "./auditFilters";

/** The filter that stands in the address, and a way to change some of it. */
export function useFilterInAddress(): [AuditFilter, (change: AuditFilter) => void] {
  const { params, change } = useAddressParams();
  const given = FILTER_NAMES.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  const narrow = (filter: AuditFilter) => {
    change({ ...filter });
  };
  return [Object.fromEntries(given), narrow];
}
