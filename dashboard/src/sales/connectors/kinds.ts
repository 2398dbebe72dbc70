import { t } from "@lingui/core/macro";
import type { ConnectorKind } from "../connector";

/** What somebody needs who connects a shop of a kind. */
export interface Shop {
  /** One line for the choice of the kind. */
  summary: string;
  /** What the shop calls its secret, and where it shows it. */
  secretHint: string;
  /** Where the inbox address is entered in the shop. */
  address: string;
  /** The events to send; `*` stands for all of that name. */
  events: readonly string[];
  /** What the secret step says. */
  secretStep: string;
  notes: readonly string[];
}

export const SHOPS: Record<ConnectorKind, Shop> = {
  Stripe: {
    summary: t`Card payments and subscriptions. You enter the inbox address in Stripe, and its signing secret here.`,
    secretHint: t`Stripe shows it (whsec_…) once it knows the inbox address, so you can leave it empty now and enter it afterwards.`,
    address: t`In Stripe, open Developers, then Webhooks, and add an endpoint for your account with the inbox address above.`,
    events: [
      "invoice.paid",
      "invoice.payment_failed",
      "invoice_payment.paid",
      "customer.subscription.*",
      "customer.created",
      "customer.updated",
      "charge.refunded",
      "charge.dispute.*",
    ],
    secretStep: t`Reveal the signing secret of the endpoint in Stripe (whsec_…), and enter it here.`,
    notes: [
      t`Stripe reports what was sold in invoices. For one-time payments, turn on invoices in the checkout, or put price (or product) and quantity into its metadata and also send checkout.session.completed.`,
      t`invoice_payment.paid exists with API versions from 2025-03-31.`,
    ],
  },
  Paddle: {
    summary: t`Paddle sells for you and pays the taxes. You enter the inbox address in Paddle, and its secret key here.`,
    secretHint: t`Paddle shows it (pdl_ntfset_…) once it knows the inbox address, so you can leave it empty now and enter it afterwards.`,
    address: t`In Paddle, open Developer tools, then Notifications, and add a destination of the type URL with the inbox address above.`,
    events: [
      "transaction.completed",
      "transaction.payment_failed",
      "subscription.*",
      "adjustment.*",
      "customer.*",
    ],
    secretStep: t`Open the destination in Paddle, copy its secret key (pdl_ntfset_…), and enter it here.`,
    notes: [
      t`The address of a buyer comes only with the events about customers, so include those.`,
    ],
  },
  LemonSqueezy: {
    summary: t`Lemon Squeezy sells for you and pays the taxes. One secret, which we make, is entered there.`,
    secretHint: t`The secret that you enter in Lemon Squeezy, at most 40 characters. Leave it empty, and we create one and show it to you.`,
    address: t`In Lemon Squeezy, open Settings, then Webhooks, and add one with the inbox address above as its callback URL.`,
    events: ["order_created", "order_refunded", "subscription_*"],
    secretStep: t`The signing secret there must match the one of this connector. If you no longer have it, enter a new one in both places.`,
    notes: [
      t`Prices are variants: a rule for a price takes the ID of the variant.`,
      t`Lemon Squeezy sends nothing about disputes.`,
    ],
  },
  Generic: {
    summary: t`Your own shop or any other. It sends a signed request for each sale, as Standard Webhooks do.`,
    secretHint: t`Leave it empty, and we create one (whsec_…) and show it to you once.`,
    address: t`Have your shop send a POST request to the inbox address above for each sale.`,
    events: [
      "order.paid",
      "order.renewed",
      "order.payment_failed",
      "order.canceled",
      "order.refunded",
      "order.disputed",
      "order.dispute_won",
    ],
    secretStep: t`Sign the messages with the signing secret of this connector. There are Standard Webhooks libraries for most languages.`,
    notes: [
      t`The lines of an order list everything the buyer has from now on. Without periodEnd, the policy sets the term.`,
      t`Each event has its own webhook-id, which stays the same when it is sent again.`,
    ],
  },
};

/** A message as the generic connector takes it. */
export const EXAMPLE = JSON.stringify(
  {
    type: "order.paid",
    timestamp: "2026-11-23T09:30:00Z",
    data: {
      id: "4711",
      customer: { email: "jane@example.com", name: "Jane Doe", locale: "en-GB" },
      lines: [
        {
          product: "aurora",
          price: "aurora-yearly",
          quantity: 1,
          periodEnd: "2027-11-23T09:30:00Z",
        },
      ],
    },
  },
  null,
  2,
);

const HEX = (byte: number) => byte.toString(16).padStart(2, "0");

/** A random secret that every kind of shop could have. */
export const randomSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(20)), HEX).join("");
