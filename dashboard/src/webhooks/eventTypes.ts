import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { eventWords } from "../ui/events";
import { list } from "../ui/formats";

export type EventType = Schemas["WebhookEventType"];

/** All event kinds, including future ones. */
export const ALL = "*" as const;

type Pattern = Extract<EventType, `${string}.*`>;
/** The event kinds that webhooks can receive, besides the test. */
type DeliveredKind = Exclude<EventType, typeof ALL | Pattern | "webhook.test">;
type FamilyName<Kind = DeliveredKind> = Kind extends `${infer Name}.${string}` ? Name : never;

const LABELS_OF_FAMILIES: Record<FamilyName, string> = {
  license: t`Licenses`,
  activation: t`Devices`,
  enrollment_key: t`Deployment keys`,
  session: t`Live sessions`,
  lease: t`Borrowed seats and reserved credits`,
  meter: t`Balances`,
  access_attempt: t`Access attempts`,
  release: t`Releases`,
  product: t`Products`,
  member: t`Team`,
  customer: t`Customers`,
  order: t`Orders`,
  association: t`Associations`,
};

/** A description of each event kind; the audit log has more kinds. */
const DESCRIPTIONS: Record<DeliveredKind, string> = {
  "license.created": t`A license was issued.`,
  "license.updated": t`The name, limits or other terms of a license were changed.`,
  "license.renewed": t`The term of a license was extended.`,
  "license.maintenance_renewed": t`The maintenance of a license was extended, so that later releases are covered.`,
  "license.expiring": t`A license expires soon. Sent on the reminder days of the institution.`,
  "license.expired": t`A license has expired.`,
  "license.revoked": t`A license was revoked.`,
  "license.suspended": t`A license was suspended.`,
  "license.restored": t`A revocation was undone within a day.`,
  "license.rekeyed": t`It got a new key.`,
  "license.reinstated": t`A suspended license works again.`,
  "license.mailed": t`An email about the license was sent to its holder.`,
  "license.mail_failed": t`An email about the license could not be delivered.`,
  "license.converted": t`A license was converted to another model.`,
  "license.deleted": t`A license was deleted with its devices.`,
  "activation.created": t`A device uses the license for the first time.`,
  "activation.clone_detected": t`Two devices have the same hardware ID: one showed another key.`,
  "activation.offline_answered": t`The request of a machine without a network was answered.`,
  "activation.offline_rejected": t`The request of a machine without a network was rejected.`,
  "activation.offline_requested": t`A machine without a network is waiting for approval.`,
  "activation.drifted": t`A device has changed and kept its seat.`,
  "activation.rekeyed": t`A device that lost its key took a new one.`,
  "activation.over_limit": t`A device lost its seat because the license has fewer now.`,
  "activation.pending": t`A device is waiting for approval.`,
  "activation.approved": t`A pending device was approved.`,
  "activation.blocked": t`A device was blocked.`,
  "activation.unblocked": t`A blocked device was unblocked.`,
  "activation.deleted": t`A device was removed and its seat freed.`,
  "activation.reclaimed": t`An idle device gave its seat to a new one.`,
  "activation.limit_reached": t`A device was rejected because all seats are in use.`,
  "enrollment_key.created": t`A deployment key was created.`,
  "enrollment_key.deleted": t`A deployment key was deleted.`,
  "session.started": t`An application connected.`,
  "session.ended": t`A session ended, with the reason.`,
  "session.limit_reached": t`An application was rejected because all seats are in use.`,
  "lease.issued": t`A device borrowed a seat or reserved credits, or keeps them longer.`,
  "lease.returned": t`A device returned a borrowed seat or reserved credits.`,
  "lease.ended": t`A borrowed seat or reservation ended without having been returned.`,
  "lease.forked": t`A borrowed seat or reservation was used by a copy of its device.`,
  "meter.granted": t`Credits or uses were granted.`,
  "meter.adjusted": t`A balance was adjusted.`,
  "meter.low_balance": t`A balance reached its threshold.`,
  "meter.depleted": t`A balance is used up.`,
  "access_attempt.detected": t`Another machine tried to use a node-locked license.`,
  "release.published": t`A release was published.`,
  "product.keys_prepared": t`The next RSA keys of a product were prepared.`,
  "product.keys_rotated": t`The RSA keys of a product were rotated.`,
  "order.fulfilled": t`An order was fulfilled.`,
  "order.unmatched": t`No rule of the connector matches what was sold.`,
  "order.refunded": t`A payment was fully refunded.`,
  "order.canceled": t`A subscription was canceled. It ends with its paid term.`,
  "order.failed": t`An order could not be fulfilled, with the reason. It will be retried.`,
  "order.updated": t`An order is waiting, for example for the address of its buyer.`,
  "customer.created": t`A customer was created, possibly by a sale.`,
  "customer.updated": t`Name, address or other details were changed.`,
  "customer.merged": t`A duplicate customer was merged into this one.`,
  "customer.erased": t`The personal data of a customer was erased.`,
  "customer.deleted": t`A customer was deleted.`,
  "member.invited": t`Someone was invited.`,
  "member.joined": t`Someone accepted an invitation.`,
  "member.removed": t`A member left or was removed.`,
  "association.invited": t`An institution was invited to receive licenses.`,
  "association.accepted": t`An institution accepted the invitation.`,
  "association.removed": t`An association ended, or an invitation was withdrawn.`,
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

const eventsText = (count: number) => plural(count, { one: "# event", other: "# events" });

/** A summary of the selection: "Licenses, Balances and 3 events". */
export function summaryOf(chosen: readonly string[]): string {
  if (chosen.includes(ALL)) return t`All events`;
  const families = chosen.flatMap((name) => LABELS.get(name) ?? []);
  const kinds = chosen.filter((name) => !LABELS.has(name));
  const others = kinds.length > 1 ? [eventsText(kinds.length)] : kinds.map(eventWords);
  return list([...families, ...others]);
}
