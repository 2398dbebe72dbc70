import { midnight } from "../../ui/days";
import { useUrlParams } from "../../ui/useUrlParams";

/** Filters of the audit log as stored in the URL; days are in the user's time zone. */
export interface AuditFilter {
  kind?: string;
  actorId?: string;
  /** Display name for `actorId`. */
  actor?: string;
  subjectId?: string;
  from?: string;
  to?: string;
}

export const FILTER_NAMES = ["kind", "actorId", "actor", "subjectId", "from", "to"] as const;

/** The filters as query parameters of the API; the last day is included. */
export const auditFilters = ({ kind, actorId, subjectId, from, to }: AuditFilter) => ({
  kind,
  actorId,
  subjectId,
  from: midnight(from),
  to: midnight(to, 1),
});

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
