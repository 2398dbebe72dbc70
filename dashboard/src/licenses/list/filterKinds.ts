import { LICENSE_STATUSES, LICENSE_TYPES, type LicenseType } from "../../api/types";
import { date } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import type { FilterName } from "./listViews";

/** A filter that can be added to the list. */
export interface FilterKind {
  name: Exclude<FilterName, "search" | "policyId" | "customerId">;
  label: string;
  /** The values to choose from; others are typed or picked. */
  choices?: readonly (readonly [value: string, label: string])[];
}

export const FILTER_KINDS: readonly FilterKind[] = [
  { name: "status", label: "Status", choices: LICENSE_STATUSES.map((status) => [status, status]) },
  {
    name: "type",
    label: "Model",
    choices: LICENSE_TYPES.map((type) => [type, MODEL_LABELS[type]]),
  },
  { name: "productId", label: "Product" },
  { name: "issuedTo", label: "Issued to" },
  {
    name: "expiringWithin",
    label: "Expires",
    choices: [
      ["7", "Within 7 days"],
      ["30", "Within 30 days"],
      ["90", "Within 90 days"],
    ],
  },
  { name: "expiringBefore", label: "Expires by" },
];

/** The names behind the IDs that filters have. */
export type FilterSubjects = Record<"productId" | "policyId" | "customerId", string>;

/** The words of an active filter: "Model: Trial". */
export function filterWords(name: FilterName, value: string, subjects: FilterSubjects): string {
  switch (name) {
    case "search":
      return `Search: ${value}`;
    case "status":
      return `Status: ${value}`;
    case "type":
      return `Model: ${MODEL_LABELS[value as LicenseType] ?? value}`;
    case "productId":
      return `Product: ${subjects.productId}`;
    case "policyId":
      return `Policy: ${subjects.policyId}`;
    case "customerId":
      return `Customer: ${subjects.customerId}`;
    case "issuedTo":
      return `Issued to: ${value}`;
    case "expiringBefore":
      return `Expires by ${date(value)}`;
    case "expiringWithin":
      return `Expires within ${value} days`;
  }
}
