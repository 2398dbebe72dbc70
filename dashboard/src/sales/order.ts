import { plural } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { midnight } from "../ui/days";
import type { Filters } from "../ui/list/useList";
import { ruleFor, type SaleMatch, type SaleRule } from "./rules/rule";

export type Order = Schemas["Order"];
export type OrderDetails = Schemas["OrderDetails"];
export type OrderStatus = Schemas["OrderStatus"];

export const ORDERS = "/api/orders";

export const ORDER_STATUSES = [
  "Open",
  "Fulfilled",
  "Unmatched",
  "Canceled",
  "Refunded",
] as const satisfies readonly OrderStatus[];

export const orderPath = ({ id }: Pick<Order, "id">) => `/orders/${id}`;

/** "3 licenses". */
export const licensesText = (count: number): string =>
  plural(count, { one: "# license", other: "# licenses" });

/** Whether the order is being worked on: it is due, and a job takes it up within seconds. */
export const isDue = ({ nextAttemptAt }: Pick<Order, "nextAttemptAt">): boolean =>
  nextAttemptAt !== null && new Date(nextAttemptAt).getTime() <= Date.now();

/** What was sold that no rule is for. */
export const unmatchedIn = (order: Order, rules: readonly SaleRule[]): SaleMatch[] =>
  order.lines.filter((line) => line.policyId === null && ruleFor(rules, line) === undefined);

/** The period of a list of orders, as instants; what sums count, they count by UTC days. */
export function spanOf({ from, to, paidIn }: Filters): { from?: string; to?: string } {
  const [since, until] = paidIn
    ? [from && utcMidnight(from), to && utcMidnight(to, 1)]
    : [midnight(from), midnight(to, 1)];
  return { ...(since && { from: since }), ...(until && { to: until }) };
}

function utcMidnight(day: string, after = 0): string | undefined {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + after);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
