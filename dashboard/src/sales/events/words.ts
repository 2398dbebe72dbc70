import { t } from "@lingui/core/macro";

const PAID = t`Paid`;
const RENEWED = t`Renewed`;
const PAYMENT_FAILED = t`Payment failed`;
const REFUNDED = t`Refunded`;
const CANCELED = t({ message: "Canceled", context: "order" });
const DISPUTED = t`Disputed`;
const SUBSCRIPTION_CREATED = t`Subscription created`;
const SUBSCRIPTION_CHANGED = t`Subscription changed`;
const SUBSCRIPTION_CANCELED = t`Subscription canceled`;
const SUBSCRIPTION_PAUSED = t`Subscription paused`;
const SUBSCRIPTION_RESUMED = t`Subscription resumed`;
const SUBSCRIPTION_ENDED = t`Subscription ended`;
const CUSTOMER_CREATED = t`Customer created`;
const CUSTOMER_CHANGED = t`Customer changed`;

/** What the kinds of events of all shops say, by the codes of the shops. */
const WORDS: Readonly<Record<string, string>> = {
  // Own shops
  "order.paid": PAID,
  "order.renewed": RENEWED,
  "order.payment_failed": PAYMENT_FAILED,
  "order.canceled": CANCELED,
  "order.refunded": REFUNDED,
  "order.disputed": DISPUTED,
  "order.dispute_won": t`Dispute won`,
  // Stripe
  "invoice.paid": PAID,
  "invoice_payment.paid": PAID,
  "invoice.payment_failed": PAYMENT_FAILED,
  "checkout.session.completed": t`Checkout completed`,
  "customer.created": CUSTOMER_CREATED,
  "customer.updated": CUSTOMER_CHANGED,
  "customer.subscription.created": SUBSCRIPTION_CREATED,
  "customer.subscription.updated": SUBSCRIPTION_CHANGED,
  "customer.subscription.paused": SUBSCRIPTION_PAUSED,
  "customer.subscription.resumed": SUBSCRIPTION_RESUMED,
  "customer.subscription.deleted": SUBSCRIPTION_ENDED,
  "charge.refunded": REFUNDED,
  "charge.dispute.created": DISPUTED,
  "charge.dispute.closed": t`Dispute closed`,
  // Paddle
  "transaction.completed": PAID,
  "transaction.payment_failed": PAYMENT_FAILED,
  "subscription.created": SUBSCRIPTION_CREATED,
  "subscription.updated": SUBSCRIPTION_CHANGED,
  "subscription.canceled": SUBSCRIPTION_CANCELED,
  "subscription.paused": SUBSCRIPTION_PAUSED,
  "subscription.resumed": SUBSCRIPTION_RESUMED,
  "adjustment.created": t`Adjustment created`,
  "adjustment.updated": t`Adjustment changed`,
  // Lemon Squeezy
  order_created: PAID,
  order_refunded: REFUNDED,
  subscription_created: SUBSCRIPTION_CREATED,
  subscription_updated: SUBSCRIPTION_CHANGED,
  subscription_cancelled: SUBSCRIPTION_CANCELED,
  subscription_paused: SUBSCRIPTION_PAUSED,
  subscription_resumed: SUBSCRIPTION_RESUMED,
  subscription_unpaused: SUBSCRIPTION_RESUMED,
  subscription_expired: SUBSCRIPTION_ENDED,
  subscription_payment_success: RENEWED,
  subscription_payment_failed: PAYMENT_FAILED,
  subscription_payment_refunded: REFUNDED,
};

/** What a kind of event says; the code of the shop for one that is not known. */
export const wordsOf = (type: string): string => WORDS[type] ?? type;
