import type { SortPayload } from "ra-core";

/** The filters of the list as stored in the URL. */
export interface LicenseFilters {
  search?: string;
  status?: string;
  type?: string;
  productId?: string;
  policyId?: string;
  customerId?: string;
  issuedTo?: string;
  /** An instant. */
  expiringBefore?: string;
  /** Days from now, relative to when the list is loaded. */
  expiringWithin?: number;
}

/** Named filters and sort order. */
export interface LicenseView {
  label: string;
  filter: LicenseFilters;
  sort: SortPayload;
}

export const NEWEST_FIRST: SortPayload = { field: "createdAt", order: "DESC" };
const ENDING_FIRST: SortPayload = { field: "expirationDate", order: "ASC" };

export const SOON_DAYS = 30;

export const BUILT_IN_VIEWS: readonly LicenseView[] = [
  { label: "All", filter: {}, sort: NEWEST_FIRST },
  { label: "Active", filter: { status: "Active" }, sort: NEWEST_FIRST },
  {
    label: "Expiring soon",
    filter: { status: "Active", expiringWithin: SOON_DAYS },
    sort: ENDING_FIRST,
  },
  { label: "Expired", filter: { status: "Expired" }, sort: NEWEST_FIRST },
  { label: "Suspended", filter: { status: "Suspended" }, sort: NEWEST_FIRST },
  { label: "Revoked", filter: { status: "Revoked" }, sort: NEWEST_FIRST },
  { label: "Credit-Based", filter: { type: "MeteredToken" }, sort: NEWEST_FIRST },
  { label: "Usage-Based", filter: { type: "MeteredCount" }, sort: NEWEST_FIRST },
];

const ordered = (filter: LicenseFilters) =>
  JSON.stringify(Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Whether the list currently shows a view. */
export const isView = (view: LicenseView, filter: LicenseFilters, sort: SortPayload): boolean =>
  ordered(view.filter) === ordered(filter) &&
  view.sort.field === sort.field &&
  view.sort.order === sort.order;

/** The filters as query parameters of the API: days from now become an instant. */
export function asked(filter: LicenseFilters, now: Date = new Date()): Record<string, unknown> {
  const { expiringWithin, ...others } = filter;
  const days = Number(expiringWithin);
  if (!Number.isFinite(days)) return others;
  // Whole minutes, so that refetching uses the same query.
  const minute = Math.ceil(now.getTime() / 60_000) * 60_000;
  return { ...others, expiringBefore: new Date(minute + days * 86_400_000).toISOString() };
}
