import type { Schemas, Webhook } from "../../api/types";
import { date, number, relative } from "../../ui/formats";
import { licenseListPath } from "../../ui/licenseListPath";

export interface AttentionItem {
  key: string;
  /** The subject, and the page to deal with it. */
  label: string;
  to: string;
  detail: string;
}

export interface Kind {
  name: "devices" | "attempts" | "balances" | "expiring" | "webhooks";
  title: string;
  count: number;
  /** The most urgent items. */
  concerns: AttentionItem[];
  hasMore: boolean;
  /** The page that lists them all, if there is one. */
  all?: string;
}

/** What needs attention, by kind; what blocks customers comes first. */
export const attentionGroups = (attention: Schemas["Attention"], webhooks: Webhook[]): Kind[] =>
  [
    pendingDevices(attention.pendingActivations),
    ...(attention.accessAttempts ? [accessAttempts(attention.accessAttempts)] : []),
    lowBalances(attention.lowBalances),
    expiring(attention.expiringLicenses),
    failing(webhooks),
  ].filter((kind) => kind.count > 0);

const pendingDevices = ({ count, items }: Schemas["PendingDevices"]): Kind => ({
  name: "devices",
  title: "Devices to approve",
  count,
  // Members and Viewers get the number only.
  hasMore: items.length > 0 && count > items.length,
  concerns: items.map((item) => ({
    key: item.activationId,
    label: item.deviceName ?? "Unnamed device",
    to: `/licenses/${item.licenseId}/activations`,
    detail: `${item.licenseName} · ${item.productName} · requested ${relative(item.createdAt)}`,
  })),
});

const accessAttempts = ({ count, items }: Schemas["AttemptedLicenses"]): Kind => ({
  name: "attempts",
  title: "Access attempts",
  count,
  hasMore: count > items.reduce((sum, item) => sum + item.attempts, 0),
  concerns: items.map((item) => ({
    key: item.licenseId,
    label: item.licenseName,
    to: `/licenses/${item.licenseId}/access-attempts`,
    detail: `${machines(item.attempts)} · ${item.productName} · last ${relative(item.lastSeenAt)}`,
  })),
});

const machines = (count: number) =>
  count === 1 ? "1 unauthorized machine" : `${number(count)} unauthorized machines`;

const lowBalances = ({ count, items }: Schemas["LowLicenses"]): Kind => ({
  name: "balances",
  title: "Low balances",
  count,
  hasMore: count > items.length,
  concerns: items.map((item) => ({
    key: item.licenseId,
    label: item.licenseName,
    to: `/licenses/${item.licenseId}/meter`,
    detail: `${left(item)} · ${item.productName}`,
  })),
  all: "/statistics/meter-usage",
});

const left = ({ balance, lowBalanceThreshold }: Schemas["LowLicense"]) =>
  balance === 0
    ? "Used up"
    : `${number(balance)} left${lowBalanceThreshold === null ? "" : `, threshold ${number(lowBalanceThreshold)}`}`;

const expiring = ({ count, items }: Schemas["ExpiringLicenses"]): Kind => ({
  name: "expiring",
  title: "Expiring licenses",
  count,
  hasMore: count > items.length,
  concerns: items.map((item) => ({
    key: item.licenseId,
    label: item.licenseName,
    to: `/licenses/${item.licenseId}`,
    detail: [endOf(item), item.issuedTo, item.productName].filter(Boolean).join(" · "),
  })),
  all: licenseListPath({ status: "Active", expiringWithin: 30 }),
});

const endOf = ({ expirationDate, inGraceUntil }: Schemas["ExpiringLicense"]) =>
  inGraceUntil === null
    ? `Expires ${relative(expirationDate)}, ${date(expirationDate)}`
    : `Ended ${relative(expirationDate)}, valid until ${date(inGraceUntil)} by its grace`;

const failing = (webhooks: Webhook[]): Kind => {
  const bad = webhooks.filter(needsCare);
  return {
    name: "webhooks",
    title: "Failing webhooks",
    count: bad.length,
    hasMore: false,
    concerns: bad.map((webhook) => ({
      key: webhook.id,
      label: webhook.description ?? webhook.url,
      to: `/webhooks/${webhook.id}`,
      detail: faultOf(webhook),
    })),
    all: "/webhooks",
  };
};

/** A webhook disabled by hand needs no attention. */
const needsCare = ({ enabled, disabledReason, lastStatus }: Webhook) =>
  enabled ? lastStatus === "Failed" : disabledReason !== null;

function faultOf({ enabled, disabledReason, disabledAt, lastDeliveryAt }: Webhook): string {
  if (enabled)
    return `The last delivery failed${lastDeliveryAt ? ` ${relative(lastDeliveryAt)}` : ""}`;
  const since = disabledAt ? ` ${relative(disabledAt)}` : "";
  return disabledReason === "Gone"
    ? `Disabled${since}: the receiver responded 410 Gone`
    : `Disabled${since} after days of failures`;
}
