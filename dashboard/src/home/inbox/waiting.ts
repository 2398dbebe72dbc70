import type { Schemas } from "../../api/types";
import { date, number, relative } from "../../ui/formats";
import {
  BatteryIcon,
  DevicesIcon,
  ExpiryIcon,
  IntrusionIcon,
  OrderIcon,
  UndeliveredIcon,
  UpgradeIcon,
  WebhookIcon,
  type Icon,
} from "../../ui/icons";
import { licenseListPath } from "../../ui/licenseListPath";
import type { Tone } from "../../ui/status";

export type Item = Schemas["WaitingItem"];
export type Kind = Schemas["WaitingKind"];

interface Told {
  /** What the group is called: "Devices to approve". */
  title: string;
  icon: Icon;
  tone: Tone;
  /** Where an item is dealt with. */
  pathOf: (item: Item) => string;
  /** What is worth knowing of it, beside its title. */
  detailOf: (item: Item) => (string | null | undefined)[];
  /** The page that lists them all, if there is one. */
  all?: string;
}

const left = ({ balance, lowBalanceThreshold: threshold }: Item): string =>
  balance
    ? `${number(balance)} left${threshold ? `, threshold ${number(threshold)}` : ""}`
    : "Used up";

/** After its end a license is in its grace. */
const endOf = (end: string): string =>
  new Date(end) < new Date()
    ? `Ended ${relative(end)}, in its grace`
    : `Expires ${relative(end)}, ${date(end)}`;

const machines = (count: number): string =>
  count === 1 ? "1 unauthorized machine" : `${number(count)} unauthorized machines`;

const FAULTS: Record<string, string> = {
  Failed: "The last delivery failed",
  Failing: "Disabled after days of failures",
  Gone: "Disabled: the receiver responded 410 Gone",
};

/** The kinds of what waits; what blocks customers comes first. */
export const KINDS: Record<Kind, Told> = {
  PendingDevice: {
    title: "Devices to approve",
    icon: DevicesIcon,
    tone: "wait",
    pathOf: ({ licenseId }) => `/licenses/${licenseId ?? ""}/activations`,
    detailOf: ({ licenseName, productName }) => [licenseName, productName],
  },
  AccessAttempt: {
    title: "Access attempts",
    icon: IntrusionIcon,
    tone: "bad",
    pathOf: ({ id }) => `/licenses/${id ?? ""}/access-attempts`,
    detailOf: ({ attempts, productName }) => [machines(attempts ?? 0), productName],
  },
  LowBalance: {
    title: "Low balances",
    icon: BatteryIcon,
    tone: "wait",
    pathOf: ({ id }) => `/licenses/${id ?? ""}/meter`,
    detailOf: (item) => [left(item), item.productName],
    all: "/statistics/meter-usage",
  },
  ExpiringLicense: {
    title: "Expiring licenses",
    icon: ExpiryIcon,
    tone: "wait",
    pathOf: ({ id }) => `/licenses/${id ?? ""}`,
    detailOf: ({ expirationDate: end, issuedTo, productName }) => [
      end && endOf(end),
      issuedTo,
      productName,
    ],
    all: licenseListPath({ status: "Active", expiringWithin: 30 }),
  },
  FailingWebhook: {
    title: "Failing webhooks",
    icon: WebhookIcon,
    tone: "bad",
    pathOf: ({ id }) => `/webhooks/${id ?? ""}`,
    detailOf: ({ reason }) => [FAULTS[reason ?? ""] ?? "Deliveries fail"],
    all: "/webhooks",
  },
  UnmatchedOrder: {
    title: "Orders without a rule",
    icon: OrderIcon,
    tone: "wait",
    pathOf: ({ id }) => `/orders/${id ?? ""}`,
    detailOf: ({ reason, issuedTo }) => [reason, issuedTo],
    all: "/orders?status=Unmatched",
  },
  FailedMail: {
    title: "Failed emails",
    icon: UndeliveredIcon,
    tone: "bad",
    pathOf: () => "/mails",
    detailOf: ({ issuedTo }) => [issuedTo && `To ${issuedTo}`],
    all: "/mails",
  },
  Upgrade: {
    title: "New version",
    icon: UpgradeIcon,
    tone: "news",
    pathOf: () => "/whats-new",
    detailOf: () => ["A newer version of Licet is available"],
  },
};

export const KIND_NAMES = Object.keys(KINDS) as Kind[];
