import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";
import { date, money, number, relative } from "../../ui/formats";
import {
  BatteryIcon,
  ConnectorIcon,
  DevicesIcon,
  ExpiryIcon,
  IntrusionIcon,
  OrderIcon,
  UndeliveredIcon,
  UpgradeIcon,
  WebhookIcon,
  type Icon,
} from "../../ui/icons";
import { licenseListPath } from "../../ui/paths";
import type { Tone } from "../../ui/status";

export type Item = Schemas["WaitingItem"];
export type Kind = Schemas["WaitingKind"];

interface Told {
  /** What the group is called: "Devices to approve". */
  title: string;
  /** What a single one is called, in its row. */
  one: string;
  icon: Icon;
  tone: Tone;
  /** Where an item is dealt with. */
  pathOf: (item: Item) => string;
  /** What is worth knowing of it, beside its title. */
  detailOf: (item: Item) => (string | null | undefined)[];
  /** The page that lists them all, if there is one. */
  all?: string;
}

/** The title of an item: its customer if known, since that is who writes or calls support. */
export const headOf = ({ customerName, title }: Item): string => customerName ?? title;

/** The line below: what the item is, unless that is its title, and the details of its kind. */
export function detailIn(item: Item): string {
  const head = headOf(item);
  const details = [item.title, ...KINDS[item.kind].detailOf(item)];
  return [...new Set(details)].filter((one) => one && one !== head).join(" · ");
}

const left = ({ balance, lowBalanceThreshold }: Item): string => {
  if (!balance) return t`Used up`;
  const amount = number(balance);
  if (!lowBalanceThreshold) return t`${amount} left`;
  return t`${amount} left, threshold ${{ threshold: number(lowBalanceThreshold) }}`;
};

/** After its end a license is in its grace. */
const endOf = (end: string): string => {
  const when = relative(end);
  return new Date(end) < new Date()
    ? t`Ended ${when}, in its grace`
    : t`Expires ${when}, ${{ day: date(end) }}`;
};

const devicesText = (count: number): string => {
  const devices = number(count);
  return plural(count, {
    one: `${devices} other device tried this key`,
    other: `${devices} other devices tried this key`,
  });
};

const seatsText = (seats: number): string =>
  plural(seats, {
    one: "The only seat is in use, and another device was rejected",
    other: "All # seats are in use, and another device was rejected",
  });

const FAULTS: Record<string, string> = {
  Failed: t`The last delivery failed`,
  Failing: t`Disabled after days of failures`,
  Gone: t`Disabled: the receiver responded 410 Gone`,
};

/** The kinds of what waits, in the order of Home: what harms now, then what blocks customers, then what can wait. */
export const KINDS: Record<Kind, Told> = {
  AccessAttempt: {
    title: t`Access attempts`,
    one: t`Access attempts`,
    icon: IntrusionIcon,
    tone: "bad",
    pathOf: ({ id }) => `/licenses/${id ?? ""}/access-attempts`,
    detailOf: ({ attempts, productName }) => [devicesText(attempts ?? 0), productName],
  },
  DisputedOrder: {
    title: t`Disputed orders`,
    one: t`Disputed order`,
    icon: OrderIcon,
    tone: "bad",
    pathOf: ({ id }) => `/orders/${id ?? ""}`,
    detailOf: ({ amount, currency, reason }) => [
      amount != null && currency ? money(amount, currency) : null,
      reason,
    ],
    all: "/orders?disputed=true",
  },
  FailingWebhook: {
    title: t`Failing webhooks`,
    one: t`Failing webhook`,
    icon: WebhookIcon,
    tone: "bad",
    pathOf: ({ id }) => `/webhooks/${id ?? ""}`,
    detailOf: ({ reason }) => [FAULTS[reason ?? ""] ?? t`Deliveries fail`],
    all: "/settings/webhooks",
  },
  FailingConnector: {
    title: t`Failing connectors`,
    one: t`Failing connector`,
    icon: ConnectorIcon,
    tone: "bad",
    pathOf: ({ id }) => `/connectors/${id ?? ""}`,
    detailOf: ({ reason }) => [t`The last message of the shop was rejected`, reason],
    all: "/connectors",
  },
  FailedMail: {
    title: t`Failed emails`,
    one: t`Failed email`,
    icon: UndeliveredIcon,
    tone: "bad",
    pathOf: () => "/mails",
    detailOf: ({ issuedTo }) => [issuedTo && t`To ${{ recipient: issuedTo }}`],
    all: "/mails",
  },
  FullLicense: {
    title: t`Full licenses`,
    one: t`Full license`,
    icon: DevicesIcon,
    tone: "wait",
    pathOf: ({ id }) => `/licenses/${id ?? ""}`,
    detailOf: ({ seats, productName }) => [seatsText(seats ?? 0), productName],
  },
  LowBalance: {
    title: t`Low balances`,
    one: t`Low balance`,
    icon: BatteryIcon,
    tone: "wait",
    pathOf: ({ id }) => `/licenses/${id ?? ""}/meter`,
    detailOf: (item) => [left(item), item.productName],
    all: "/statistics/meter-usage",
  },
  PendingDevice: {
    title: t`Devices to approve`,
    one: t`Device to approve`,
    icon: DevicesIcon,
    tone: "wait",
    pathOf: ({ licenseId }) => `/licenses/${licenseId ?? ""}/activations`,
    detailOf: ({ licenseName, productName }) => [licenseName, productName],
  },
  OfflineRequest: {
    title: t`Offline requests to approve`,
    one: t`Offline request to approve`,
    icon: DevicesIcon,
    tone: "wait",
    pathOf: ({ licenseId }) => `/licenses/${licenseId ?? ""}/activations/offline`,
    detailOf: ({ licenseName }) => [licenseName],
  },
  UnmatchedOrder: {
    title: t`Orders without a rule`,
    one: t`Order without a rule`,
    icon: OrderIcon,
    tone: "wait",
    pathOf: ({ id }) => `/orders/${id ?? ""}`,
    detailOf: ({ reason }) => [reason],
    all: "/orders?status=Unmatched",
  },
  ExpiringLicense: {
    title: t`Expiring licenses`,
    one: t`Expiring license`,
    icon: ExpiryIcon,
    tone: "wait",
    pathOf: ({ id }) => `/licenses/${id ?? ""}`,
    detailOf: ({ expirationDate: end, customerName, issuedTo, productName }) => [
      end && endOf(end),
      customerName ? null : issuedTo,
      productName,
    ],
    all: licenseListPath({ status: "Active", expiringWithin: 30 }),
  },
  Upgrade: {
    title: t`New version`,
    one: t`New version`,
    icon: UpgradeIcon,
    tone: "news",
    pathOf: () => "/whats-new",
    detailOf: () => [t`A newer version of Licet is available`],
  },
};

export const KIND_NAMES = Object.keys(KINDS) as Kind[];
