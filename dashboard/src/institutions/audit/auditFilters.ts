import { midnight } from "../../ui/days";
import type { Filters, Query } from "../../ui/list/useList";

/** `actor` and `subject` are the names of `actorId` and `subjectId`, for the fields that show them. */
export const FILTER_NAMES = [
  "kind",
  "actorId",
  "actor",
  "subjectId",
  "subject",
  "from",
  "to",
] as const;

/** The filters as query parameters of the API; days are in the user's time zone, the last included. */
export const auditFilters = ({ kind, actorId, subjectId, from, to }: Filters): Query => ({
  kind,
  actorId,
  subjectId,
  from: midnight(from),
  to: midnight(to, 1),
});
