import { useSearchParams } from "react-router";
import { FILTER_NAMES, type AuditFilter } from "./auditFilters";

/** The filter that stands in the address; changing it goes back to the first page. */
export function useFilterInAddress(): [AuditFilter, (filter: AuditFilter) => void] {
  const [params, setParams] = useSearchParams();
  const given = FILTER_NAMES.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  const change = (filter: AuditFilter) => {
    setParams(Object.entries(filter).filter(([, value]) => Boolean(value)) as [string, string][]);
  };
  return [Object.fromEntries(given), change];
}
