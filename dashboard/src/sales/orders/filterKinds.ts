import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import { type FilterKind, statusKind } from "../../ui/list/filters/filter";
import { PERIOD_KIND } from "../../ui/list/filters/periods";
import type { ListView } from "../../ui/list/views/view";
import { statusWords } from "../../ui/status";
import { CONNECTORS } from "../connector";
import { ORDER_STATUSES } from "../order";

export const NEWEST_FIRST = "-createdAt";

/** The filters of the list as they stand in the address. */
export const FILTER_NAMES = [
  "search",
  "status",
  "hasProblem",
  "testMode",
  "disputed",
  "from",
  "to",
  "connectorId",
  "customerId",
  "productId",
  "onlyProduct",
  "paidIn",
] as const;

export const BUILT_IN_VIEWS: readonly ListView[] = [
  { label: t`All`, filter: {}, sort: NEWEST_FIRST },
  {
    label: t`Without a license`,
    filter: { hasProblem: "true", testMode: "false" },
    sort: NEWEST_FIRST,
  },
  { label: statusWords("Disputed"), filter: { disputed: "true" }, sort: NEWEST_FIRST },
  { label: statusWords("Refunded"), filter: { status: "Refunded" }, sort: NEWEST_FIRST },
];

const yesOrNo = (name: string, label: string, yes: string, no: string): FilterKind => ({
  name,
  label,
  choices: [
    ["true", yes],
    ["false", no],
  ],
  words: (filters) => (filters[name] === "true" ? yes : no),
});

const KINDS: readonly FilterKind[] = [
  statusKind(ORDER_STATUSES),
  {
    name: "productId",
    label: t`Product`,
    editor: "product",
    subject: "product",
    clears: ["onlyProduct"],
  },
  PERIOD_KIND,
  yesOrNo("testMode", t`Test or live`, t`Test sales`, t`Real sales`),
  yesOrNo("disputed", t`Dispute`, t`Disputed`, t`Not disputed`),
  yesOrNo("hasProblem", t`Problem`, t`With a problem`, t`Without a problem`),
  { name: "customerId", label: t`Customer`, subject: "customer" },
  { name: "onlyProduct", label: t`Product`, words: () => t`Of no other product` },
  {
    name: "paidIn",
    label: t`Currency`,
    words: ({ paidIn: currency = "" }) => t`Paid in ${currency}, by UTC days`,
  },
];

/** What orders can be filtered by; by shop, where the user sees several. */
export function useFilterKinds(institutionId: string, manage: boolean): FilterKind[] {
  const query = { institutionId, pageSize: 100, sort: "name" };
  const { data } = $api.useQuery("get", CONNECTORS, { params: { query } }, { enabled: manage });
  const shops = data?.items ?? [];
  return [
    ...KINDS,
    {
      name: "connectorId",
      label: t`Shop`,
      ...(shops.length > 0 && { choices: shops.map(({ id, name }) => [id, name] as const) }),
    },
  ];
}
