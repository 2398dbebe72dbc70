import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { money, number } from "./formats";

type Line = Pick<
  Schemas["OrderLine"],
  "product" | "price" | "quantity" | "productName" | "policyName"
>;

/** What the shop calls an item: the price, which says more than the product. */
export const shopWords = ({ product, price }: Pick<Line, "product" | "price">): string =>
  price ?? product ?? t`Something`;

/** What an item is called here, where a rule names a policy for it. */
function nameOf(line: Line): string {
  const { productName, policyName } = line;
  if (productName === null || policyName === null) return shopWords(line);
  return policyName.startsWith(productName) ? policyName : `${productName} · ${policyName}`;
}

/** A line of an order: "Aurora Studio · Yearly × 3", in the words of the shop while no rule is for it. */
export const lineWords = (line: Line): string =>
  `${nameOf(line)}${line.quantity === 1 ? "" : ` × ${number(line.quantity)}`}`;

/** What was sold; empty if no event has said it yet. */
export const soldWords = ({ lines }: { lines: readonly Line[] }): string =>
  lines.map(lineWords).join(", ");

type Paid = Pick<Schemas["Order"], "amount" | "currency" | "refundedAmount">;

/** What was paid for an order, in words; null if the shop does not say. */
export const paidText = ({ amount, currency }: Paid): string | null =>
  amount === null || currency === null ? null : money(amount, currency);

/** What was paid back of an order, in words; null if that is nothing. */
export const refundedText = ({ refundedAmount: amount, currency }: Paid): string | null =>
  amount && currency !== null ? t`Refunded ${{ amount: money(amount, currency) }}` : null;

type Fate = Pick<Schemas["Order"], "externalId" | "status" | "disputedAt">;

/** The status of an order, or that the buyer disputes what they paid for it. */
export const statusOf = ({ status, disputedAt }: Omit<Fate, "externalId">) =>
  disputedAt !== null && status === "Fulfilled" ? "Disputed" : status;

/** What became of an order, as the reason of something: "Order 4693 was refunded." */
export function fateOf({ externalId: order, status, disputedAt }: Fate): string {
  if (disputedAt !== null) return t`The payment of order ${order} is disputed.`;
  if (status === "Refunded") return t`Order ${order} was refunded.`;
  return status === "Canceled" ? t`Order ${order} was canceled.` : t`Order ${order}`;
}

type Sum = Pick<Schemas["SalesOfMonth"], "currency" | "net" | "orders">;

/** The net of each currency, the largest number of orders first. */
export function netOf(months: readonly Sum[]): [currency: string, net: number][] {
  const sums = new Map<string, { net: number; orders: number }>();
  for (const { currency, net, orders } of months) {
    const sum = sums.get(currency) ?? { net: 0, orders: 0 };
    // Sums of cents are exact, sums of fractions are not.
    const total = Math.round((sum.net + net) * 1e6) / 1e6;
    sums.set(currency, { net: total, orders: sum.orders + orders });
  }
  return [...sums]
    .toSorted(([, one], [, other]) => other.orders - one.orders)
    .map(([currency, { net }]) => [currency, net]);
}
