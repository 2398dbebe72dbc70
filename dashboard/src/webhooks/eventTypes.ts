import type { Schemas } from "../api/types";
import { eventWords } from "../ui/events";

export type EventType = Schemas["WebhookEventType"];

/** All event kinds, including future ones. */
export const ALL = "*" as const;

type Pattern = Extract<EventType, `${string}.*`>;
/** The event kinds that webhooks can receive, besides the test. */
type DeliveredKind = Exclude<EventType, typeof ALL | Pattern | "webhook.test">;
type FamilyName<Kind = DeliveredKind> = Kind extends `${infer Name}.${string}` ? Name : never;

const LABELS_OF_FAMILIES: Record<FamilyName, string> = {
  license: "Licenses",
  activation: "Devices",
  session: "Live sessions",
  meter: "Balances",
  access_attempt: "Access attempts",
  release: "Releases",
  product: "Products",
  member: "Team",
  customer: "Customers",
  order: "Orders",
  association: "Associations",
};

/** A description of each event kind; the audit log has more kinds. */
const DESCRIPTIONS: Record<DeliveredKind, string> = {
  "license.created": "A license was issued.",
  "license.updated": "Its name, limits or other terms were changed.",
  "license.renewed": "Its term was extended.",
  "license.expiring": "It expires soon; sent on the reminder days of the institution.",
  "license.expired": "It has expired.",
  "license.revoked": "It was permanently revoked.",
  "license.suspended": "It was suspended.",
  "license.reinstated": "A suspended license works again.",
  "license.mailed": "An email about it was written to its receiver.",
  "license.mail_failed": "An email about it could not be delivered.",
  "license.converted": "A trial was converted to another model.",
  "license.deleted": "It was deleted with its devices.",
  "activation.created": "A device uses the license for the first time.",
  "activation.pending": "A device is waiting for approval.",
  "activation.approved": "A pending device was approved.",
  "activation.blocked": "A device was blocked.",
  "activation.unblocked": "A blocked device was unblocked.",
  "activation.deleted": "A device was removed and its seat freed.",
  "activation.limit_reached": "A device was rejected because all seats are in use.",
  "session.started": "An application connected.",
  "session.ended": "A session ended, with the reason.",
  "session.limit_reached": "An application was rejected because all seats are in use.",
  "meter.granted": "Credits or uses were granted.",
  "meter.adjusted": "A balance was adjusted.",
  "meter.low_balance": "A balance reached its threshold.",
  "meter.depleted": "A balance is used up.",
  "access_attempt.detected": "Another machine tried to use a node-locked license.",
  "release.published": "A release was published.",
  "product.keys_rotated": "The RSA keys of a product were rotated.",
  "order.fulfilled": "A sale has its licenses.",
  "order.unmatched": "No rule of the connector matches what was sold.",
  "order.refunded": "A payment was refunded as a whole.",
  "order.canceled": "A subscription was canceled; it ends with its paid term.",
  "order.failed": "An order could not be fulfilled, with the reason; it is tried again.",
  "order.updated": "An order waits for something, such as the address of its buyer.",
  "customer.created": "A customer was created, possibly by a sale.",
  "customer.updated": "Name, address or other details were changed.",
  "customer.merged": "A double was merged into the customer.",
  "customer.erased": "The person behind a customer was erased.",
  "customer.deleted": "A customer was deleted.",
  "member.invited": "A person was invited.",
  "member.joined": "A person accepted an invitation.",
  "member.removed": "A member left or was removed.",
  "association.invited": "An institution was invited to receive licenses.",
  "association.accepted": "An institution accepted the invitation.",
  "association.removed": "An association ended, or an invitation was withdrawn.",
};

interface Family {
  /** Prefix of its event kinds. */
  name: FamilyName;
  label: string;
  /** The event kinds with a description of each. */
  kinds: readonly (readonly [kind: DeliveredKind, description: string])[];
}

const KINDS = Object.entries(DESCRIPTIONS) as [DeliveredKind, string][];

export const FAMILIES = Object.entries(LABELS_OF_FAMILIES).map(([name, label]): Family => ({
  name: name as FamilyName,
  label,
  kinds: KINDS.filter(([kind]) => kind.startsWith(`${name}.`)),
}));

const patternOf = (family: Family): Pattern => `${family.name}.*` as const;

/** How much of a family is selected. */
export function selectionOf(chosen: readonly EventType[], family: Family): "all" | "some" | "none" {
  if (chosen.includes(patternOf(family))) return "all";
  return family.kinds.some(([kind]) => chosen.includes(kind)) ? "some" : "none";
}

export const isChosen = (
  chosen: readonly EventType[],
  family: Family,
  kind: DeliveredKind,
): boolean => chosen.includes(patternOf(family)) || chosen.includes(kind);

const without = (chosen: readonly EventType[], family: Family): EventType[] =>
  chosen.filter((name) => !name.startsWith(`${family.name}.`));

/** Selects a whole family, including kinds added in the future, or deselects it. */
export const withFamily = (
  chosen: readonly EventType[],
  family: Family,
  wanted: boolean,
): EventType[] =>
  wanted ? [...without(chosen, family), patternOf(family)] : without(chosen, family);

/** Selects or deselects one kind; if the whole family was selected, its other kinds stay. */
export function withKind(
  chosen: readonly EventType[],
  family: Family,
  kind: DeliveredKind,
  wanted: boolean,
): EventType[] {
  const kept = family.kinds
    .map(([name]) => name)
    .filter((name) => (name === kind ? wanted : isChosen(chosen, family, name)));
  return [...without(chosen, family), ...kept];
}

const LABELS = new Map<string, string>(FAMILIES.map((family) => [patternOf(family), family.label]));

/** A summary of the selection: "Licenses, Balances and 3 events". */
export function summaryOf(chosen: readonly string[]): string {
  if (chosen.includes(ALL)) return "All events";
  const families = chosen.flatMap((name) => LABELS.get(name) ?? []);
  const kinds = chosen.filter((name) => !LABELS.has(name));
  const others = kinds.length > 1 ? [`${String(kinds.length)} events`] : kinds.map(eventWords);
  return new Intl.ListFormat("en").format([...families, ...others]);
}
