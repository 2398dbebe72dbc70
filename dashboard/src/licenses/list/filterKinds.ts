import { plural, t } from "@lingui/core/macro";
import { LICENSE_STATUSES, LICENSE_TYPES } from "../../api/types";
import { date } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { type FilterKind, statusKind } from "../../ui/list/filters/filter";
import type { FilterName } from "./useLicenseList";

/** What the list can be filtered by; policies and customers are those of links to it. */
export const FILTER_KINDS: readonly (FilterKind & { name: FilterName })[] = [
  { ...statusKind(LICENSE_STATUSES), name: "status" },
  {
    name: "type",
    label: t`Model`,
    choices: LICENSE_TYPES.map((type) => [type, MODEL_LABELS[type]]),
  },
  {
    name: "test",
    label: t`Test or live`,
    choices: [
      ["false", t`Live licenses`],
      ["true", t`Test licenses`],
    ],
    words: ({ test }) => (test === "true" ? t`Test licenses` : t`Live licenses`),
  },
  { name: "productId", label: t`Product`, editor: "product", subject: "product" },
  { name: "policyId", label: t`Policy`, subject: "policy" },
  { name: "customerId", label: t`Customer`, subject: "customer" },
  { name: "tag", label: t`Tag`, editor: "tag", tagged: "licenses" },
  { name: "issuedTo", label: t`Issued to`, editor: "text" },
  {
    name: "expiringWithin",
    label: t`Expires in`,
    choices: [
      ["7", t`Within 7 days`],
      ["30", t`Within 30 days`],
      ["90", t`Within 90 days`],
    ],
    clears: ["expiringBefore"],
    words: ({ expiringWithin: days = "" }) =>
      plural({ days }, { other: `Expires within ${days} days` }),
  },
  {
    name: "expiringBefore",
    label: t`Expires by`,
    editor: "day",
    clears: ["expiringWithin"],
    words: ({ expiringBefore = "" }) => t`Expires by ${{ day: date(expiringBefore) }}`,
  },
];
