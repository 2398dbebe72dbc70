import { plural, t } from "@lingui/core/macro";
import { LICENSE_STATUSES, LICENSE_TYPES, type LicenseType } from "../../api/types";
import { date } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { statusWords } from "../../ui/status";
import type { FilterName } from "./useLicenseList";

/** A filter that can be added to the list. */
export interface FilterKind {
  name: Exclude<FilterName, "search" | "policyId" | "customerId">;
  label: string;
  /** The values to choose from; others are typed or picked. */
  choices?: readonly (readonly [value: string, label: string])[];
  /** Accessible name of what a value is typed or picked in. */
  editor?: string;
}

export const FILTER_KINDS: readonly FilterKind[] = [
  {
    name: "status",
    label: t`Status`,
    choices: LICENSE_STATUSES.map((status) => [status, statusWords(status)]),
  },
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
  },
  { name: "productId", label: t`Product`, editor: t`Filter by product` },
  { name: "tag", label: t`Tag`, editor: t`Filter by tag` },
  { name: "issuedTo", label: t`Issued to`, editor: t`Filter by issued to` },
  {
    name: "expiringWithin",
    label: t`Expires in`,
    choices: [
      ["7", t`Within 7 days`],
      ["30", t`Within 30 days`],
      ["90", t`Within 90 days`],
    ],
  },
  { name: "expiringBefore", label: t`Expires by`, editor: t`Filter by expires by` },
];

/** The names behind the IDs that filters have. */
export type FilterSubjects = Record<"productId" | "policyId" | "customerId", string>;

/** The words of an active filter: "Model: Trial". */
export function filterWords(name: FilterName, value: string, subjects: FilterSubjects): string {
  switch (name) {
    case "search":
      return t`Search: ${value}`;
    case "status":
      return t`Status: ${{ status: statusWords(value) }}`;
    case "type":
      return t`Model: ${{ model: MODEL_LABELS[value as LicenseType] ?? value }}`;
    case "productId":
      return t`Product: ${{ product: subjects.productId }}`;
    case "policyId":
      return t`Policy: ${{ policy: subjects.policyId }}`;
    case "customerId":
      return t`Customer: ${{ customer: subjects.customerId }}`;
    case "test":
      return value === "true" ? t`Test licenses` : t`Live licenses`;
    case "tag":
      return t`Tag: ${value}`;
    case "issuedTo":
      return t`Issued to: ${value}`;
    case "expiringBefore":
      return t`Expires by ${{ day: date(value) }}`;
    case "expiringWithin":
      return plural({ days: value }, { other: `Expires within ${value} days` });
  }
}
