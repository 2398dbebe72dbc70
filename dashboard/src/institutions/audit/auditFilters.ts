/** What the audit log is narrowed to, as it stands in the address; days are the reader's. */
export interface AuditFilter {
  kind?: string;
  actorId?: string;
  /** Told in the place of the id. */
  actor?: string;
  subjectId?: string;
  from?: string;
  to?: string;
}

export const FILTER_NAMES = ["kind", "actorId", "actor", "subjectId", "from", "to"] as const;

/** The beginning of a day in the reader's time zone, or of the next one. */
function midnight(day: string | undefined, after = 0): string | undefined {
  if (!day) return undefined;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

/** As the API takes it: the last day is included. */
export const auditFilters = ({ kind, actorId, subjectId, from, to }: AuditFilter) => ({
  kind,
  actorId,
  subjectId,
  from: midnight(from),
  to: midnight(to, 1),
});

export function queryOfFilters(filter: AuditFilter): string {
  const given = Object.entries(auditFilters(filter)).filter(([, value]) => value);
  return new URLSearchParams(given as [string, string][]).toString();
}
