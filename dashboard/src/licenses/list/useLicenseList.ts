import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";
import { type Filters, type Query, useList, useListContext } from "../../ui/list/useList";
import type { ListView } from "../../ui/list/views/view";

export type ListedLicense = Schemas["ListedLicense"];

/** The list of an institution, or of all that a system Admin sees, with what columns need besides. */
export const useLicensesOf = (
  institutionId: string | null,
  include: readonly Schemas["LicenseExtra"][],
) =>
  useList<ListedLicense>({
    path: "licenses",
    fixed: { institutionId, include },
    filterNames: FILTER_NAMES,
    asked: (filters) => asked(filters),
    sort: NEWEST_FIRST,
    views: "Licenses",
  });

/** The list that the component stands in. */
export const useLicenseList = () => useListContext<ListedLicense>();

/** The filters of the list as they stand in the address. */
export const FILTER_NAMES = [
  "search",
  "status",
  "type",
  "productId",
  "policyId",
  "customerId",
  "issuedTo",
  "test",
  "tag",
  /** An instant. */
  "expiringBefore",
  /** Days from now, relative to when the list is loaded. */
  "expiringWithin",
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

export const NEWEST_FIRST = "-createdAt";
const ENDING_FIRST = "expirationDate";

const SOON_DAYS = 30;

export const BUILT_IN_VIEWS: readonly ListView[] = [
  { label: t`All`, filter: {}, sort: NEWEST_FIRST },
  { label: t`Active`, filter: { status: "Active" }, sort: NEWEST_FIRST },
  {
    label: t`Expiring soon`,
    filter: { status: "Active", expiringWithin: String(SOON_DAYS) },
    sort: ENDING_FIRST,
  },
  { label: t`Expired`, filter: { status: "Expired" }, sort: NEWEST_FIRST },
  { label: t`Suspended`, filter: { status: "Suspended" }, sort: NEWEST_FIRST },
  { label: t`Revoked`, filter: { status: "Revoked" }, sort: NEWEST_FIRST },
  { label: t`Credit-Based`, filter: { type: "MeteredToken" }, sort: NEWEST_FIRST },
  { label: t`Usage-Based`, filter: { type: "MeteredCount" }, sort: NEWEST_FIRST },
];

/** The filters as query parameters of the API: days from now become an instant. */
export function asked(filter: Filters, now: Date = new Date()): Query {
  const { expiringWithin, ...others } = filter;
  const days = Number(expiringWithin);
  if (!expiringWithin || !Number.isFinite(days)) return others;
  // Whole minutes, so that refetching uses the same query.
  const minute = Math.ceil(now.getTime() / 60_000) * 60_000;
  return { ...others, expiringBefore: new Date(minute + days * 86_400_000).toISOString() };
}
