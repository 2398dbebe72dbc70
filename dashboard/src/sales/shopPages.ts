import type { ConnectorKind } from "./connector";
import type { Order } from "./order";

/** The pages of a shop's own dashboard, by how IDs of what they show begin. */
const STRIPE = {
  sub_: "subscriptions",
  in_: "invoices",
  pi_: "payments",
  ch_: "payments",
  py_: "payments",
};
const PADDLE = { txn_: "transactions-v2", sub_: "subscriptions-v2" };

function pageIn(base: string, pages: Readonly<Record<string, string>>, id: string): string | null {
  const page = Object.entries(pages).find(([start]) => id.startsWith(start))?.[1];
  return page === undefined ? null : `${base}/${page}/${encodeURIComponent(id)}`;
}

type Sold = Pick<Order, "externalId" | "testMode">;

/** Where the shop shows an order, with refunds and disputes; null if its addresses are not known. */
export function shopPage(kind: ConnectorKind, { externalId, testMode }: Sold): string | null {
  if (kind === "Stripe")
    return pageIn(`https://dashboard.stripe.com${testMode ? "/test" : ""}`, STRIPE, externalId);
  if (kind === "Paddle")
    return pageIn(`https://${testMode ? "sandbox-" : ""}vendors.paddle.com`, PADDLE, externalId);
  return null;
}
