import { plural, t } from "@lingui/core/macro";
import type { LicenseType, Schemas } from "../api/types";
import { componentWords } from "./devices/components";
import { actorWords, eventWords } from "./events";
import { fieldLabel, fieldWords } from "./fields";
import { date, dateTime, number, signed } from "./formats";
import { MODEL_LABELS } from "./labels";
import type { MeterKind } from "./models";
import { amountText, daysText } from "./quantities";
import type { TimelineEvent } from "./Timeline";

type Data = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const figureOf = (value: unknown): number => (typeof value === "number" ? value : 0);

const deviceOf = (data: Data): string => textOf(data["deviceName"]) ?? t`An unnamed device`;

/** The day in a field; null without one. */
function dayIn(data: Data, field: string): string | null {
  const at = textOf(data[field]);
  return at === null ? null : date(at);
}

/** The expiration date; null for a license without one. */
const endOf = (data: Data): string | null => dayIn(data, "expirationDate");

type EndReason = Schemas["EndReason"];

/** Why a session ended. */
export const END_WORDS: Record<EndReason, string> = {
  Disconnected: t`The application disconnected`,
  ForceDisconnected: t`Disconnected by an operator`,
  TimedOut: t`Heartbeats stopped`,
  Replaced: t`The application reconnected`,
  DeviceBlocked: t`The device was blocked`,
  Deactivated: t`The device was deactivated`,
  LicenseRevoked: t`The license was revoked`,
  LicenseExpired: t`The license expired`,
  LicenseDeleted: t`The license was deleted`,
};

/** That the session on a device ended, and why. */
const END_SENTENCES: Record<EndReason, (device: string) => string> = {
  Disconnected: (device) => t`Session on ${device} ended: the application disconnected`,
  ForceDisconnected: (device) => t`Session on ${device} ended: disconnected by an operator`,
  TimedOut: (device) => t`Session on ${device} ended: heartbeats stopped`,
  Replaced: (device) => t`Session on ${device} ended: the application reconnected`,
  DeviceBlocked: (device) => t`Session on ${device} ended: the device was blocked`,
  Deactivated: (device) => t`Session on ${device} ended: the device was deactivated`,
  LicenseRevoked: (device) => t`Session on ${device} ended: the license was revoked`,
  LicenseExpired: (device) => t`Session on ${device} ended: the license expired`,
  LicenseDeleted: (device) => t`Session on ${device} ended: the license was deleted`,
};

type Sentence = (device: string, freeOn: string) => string;

/** Who deactivated a device whose seat is free at once, by the reason. */
const REMOVED: Partial<Record<string, Sentence>> = {
  Device: (device) => t`${device} deactivated itself`,
  Customer: (device) => t`${device} was deactivated by the customer’s institution`,
  EndUser: (device) => t`${device} was deactivated by the customer`,
  Application: (device) => t`${device} was released by the application on another device`,
  OfflineRelease: (device) => t`${device} was released by an offline request`,
};

/** The same where the seat is free later. */
const REMOVED_WITH_SEAT: typeof REMOVED = {
  Device: (device, freeOn) => t`${device} deactivated itself; its seat is free on ${freeOn}`,
  Customer: (device, freeOn) =>
    t`${device} was deactivated by the customer’s institution; its seat is free on ${freeOn}`,
  EndUser: (device, freeOn) =>
    t`${device} was deactivated by the customer; its seat is free on ${freeOn}`,
  Application: (device, freeOn) =>
    t`${device} was released by the application on another device; its seat is free on ${freeOn}`,
};

/** Tells who deactivated a device, and when its seat is free. */
function removedText(data: Data): string {
  const device = deviceOf(data);
  const freeAt = textOf(data["seatFreeAt"]);
  const reason = textOf(data["reason"]) ?? "";
  if (reason === "Forced") return t`The seat of ${device} was freed at once`;
  if (freeAt === null) return REMOVED[reason]?.(device, "") ?? t`${device} was deactivated`;
  const freeOn = date(freeAt);
  return (
    REMOVED_WITH_SEAT[reason]?.(device, freeOn) ??
    t`${device} was deactivated; its seat is free on ${freeOn}`
  );
}

export type LicenseEvent = Schemas["LicenseEvent"];
const unitOf = (data: Data): MeterKind => (data["mode"] === "Count" ? "uses" : "credits");

const balanceOf = (data: Data): string => amountText(figureOf(data["balance"]), unitOf(data));

function endedText(data: Data): string {
  const reason = textOf(data["reason"]) as Schemas["EndReason"] | null;
  const device = deviceOf(data);
  return reason === null
    ? t`Session on ${device} ended: the session ended`
    : END_SENTENCES[reason](device);
}

/** What a lease reserves; null for a seat. */
const reservedIn = (data: Data): string | null =>
  data["kind"] === "Credits" ? number(figureOf(data["quantity"])) : null;

function grantedText(data: Data): string {
  const count = figureOf(data["amount"]);
  const amount = number(count);
  return unitOf(data) === "uses"
    ? plural(count, { one: `${amount} use was granted`, other: `${amount} uses were granted` })
    : plural(count, {
        one: `${amount} credit was granted`,
        other: `${amount} credits were granted`,
      });
}

function expiringText(data: Data): string {
  const graceEnd = textOf(data["inGraceUntil"]);
  const end = endOf(data);
  if (graceEnd !== null)
    return t`The term has ended; the license stays active until ${{ graceEnd: date(graceEnd) }}`;
  return end === null
    ? t`Reminder that the license expires`
    : t`Reminder that the license expires on ${end}`;
}

function omittedText(data: Data): string {
  const counts = Object.values((data["counts"] as Record<string, number> | undefined) ?? {});
  const count = counts.reduce((sum, one) => sum + one, 0);
  const figure = number(count);
  const from = dateTime(textOf(data["from"]) ?? "");
  const to = dateTime(textOf(data["to"]) ?? "");
  return plural(count, {
    one: `${figure} further event of applications between ${from} and ${to} was counted`,
    other: `${figure} further events of applications between ${from} and ${to} were counted`,
  });
}

/** A sentence, without the final period, for each event kind of a license. */
const SENTENCES: Record<string, (data: Data) => string> = {
  "customer.noted": ({ note }) => textOf(note) ?? t`A note was added about the customer`,
  "license.created": () => t`The license was issued`,
  "license.updated": () => t`The license was changed`,
  "license.renewed": (data) => {
    const end = endOf(data);
    return end === null
      ? t`The license was extended without an end date`
      : t`The license was extended until ${end}`;
  },
  "license.maintenance_renewed": () => t`The maintenance of the license was renewed`,
  "license.converted": (data) =>
    t`The license was converted to ${{ model: MODEL_LABELS[data["type"] as LicenseType] }}`,
  "license.revoked": () => t`The license was revoked`,
  "license.restored": () => t`The license was restored`,
  "license.rekeyed": () => t`The license got a new key`,
  "license.noted": ({ note }) => textOf(note) ?? t`A note was added to the license`,
  "license.suspended": () => t`The license was suspended`,
  "license.reinstated": () => t`The license was reinstated`,
  "license.expiring": expiringText,
  "license.events_omitted": omittedText,
  "license.expired": () => t`The license expired`,
  "license.mailed": (data) => {
    const recipient = textOf(data["recipient"]);
    return recipient === null
      ? t`The license was emailed to its holder`
      : t`The license was emailed to ${recipient}`;
  },
  "license.mail_failed": (data) => {
    const recipient = textOf(data["recipient"]);
    return recipient === null
      ? t`An email to the receiver could not be delivered`
      : t`An email to ${recipient} could not be delivered`;
  },
  "activation.created": (data) => t`${{ device: deviceOf(data) }} was activated`,
  "activation.clone_detected": (data) =>
    t`Another device has the hardware ID of ${{ device: deviceOf(data) }}: it showed another key`,
  "activation.offline_answered": (data) =>
    t`The offline request of ${{ device: deviceOf(data) }} was answered`,
  "activation.offline_rejected": (data) =>
    t`The offline request of ${{ device: deviceOf(data) }} was rejected`,
  "activation.offline_requested": (data) =>
    t`${{ device: deviceOf(data) }} requested offline activation`,
  "activation.drifted": (data) => {
    const changed = data["changed"];
    const names = Array.isArray(changed)
      ? changed.map((name) => componentWords(String(name))).join(", ")
      : "";
    return t`${{ device: deviceOf(data) }} has changed: ${names}`;
  },
  "activation.rekeyed": (data) => t`${{ device: deviceOf(data) }} took a new key`,
  "activation.change_accepted": (data) =>
    t`The changes of ${{ device: deviceOf(data) }} were accepted`,
  "activation.over_limit": (data) => t`${{ device: deviceOf(data) }} is over the limit`,
  "activation.pending": (data) => t`${{ device: deviceOf(data) }} requested approval`,
  "activation.approved": (data) => t`${{ device: deviceOf(data) }} was approved`,
  "activation.blocked": (data) => t`${{ device: deviceOf(data) }} was blocked`,
  "activation.unblocked": (data) => t`${{ device: deviceOf(data) }} was unblocked`,
  "activation.deleted": removedText,
  "activation.reclaimed": (data) => t`${{ device: deviceOf(data) }} was idle and gave up its seat`,
  "activation.limit_reached": (data) =>
    t`A device was rejected because all ${{ seats: number(figureOf(data["seatsTotal"])) }} seats are in use`,
  "enrollment_key.created": (data) =>
    t`Deployment key ${{ name: textOf(data["name"]) ?? "" }} was created`,
  "enrollment_key.deleted": (data) =>
    t`Deployment key ${{ name: textOf(data["name"]) ?? "" }} was deleted`,
  "session.started": (data) => t`${{ device: deviceOf(data) }} connected`,
  "session.ended": endedText,
  "session.limit_reached": (data) =>
    t`A session was rejected because all ${{ seats: number(figureOf(data["seatsTotal"])) }} seats are in use`,
  "lease.issued": (data) => {
    const device = deviceOf(data);
    const day = dayIn(data, "endsAt") ?? "";
    const amount = reservedIn(data);
    return amount === null
      ? t`${device} borrowed a seat until ${day}`
      : t`${device} reserved ${amount} of the balance until ${day}`;
  },
  "lease.returned": (data) => {
    const device = deviceOf(data);
    return reservedIn(data) === null
      ? t`${device} returned its borrowed seat`
      : t`${device} returned its reservation`;
  },
  "lease.ended": (data) => {
    const device = deviceOf(data);
    return reservedIn(data) === null
      ? t`The seat that ${device} borrowed is free`
      : t`The reservation of ${device} ended without having been returned`;
  },
  "lease.forked": (data) => {
    const device = deviceOf(data);
    return reservedIn(data) === null
      ? t`A copy of ${device} used its borrowed seat; it borrows no other one until this is acknowledged`
      : t`A copy of ${device} spent from its reservation, too; it reserves nothing else until this is acknowledged`;
  },
  "lease.recalled": (data) => {
    const device = deviceOf(data);
    return reservedIn(data) === null
      ? t`The seat that ${device} borrowed was recalled`
      : t`The reservation of ${device} was recalled`;
  },
  "lease.acknowledged": (data) => {
    const device = deviceOf(data);
    return reservedIn(data) === null
      ? t`${device} may borrow a seat again`
      : t`${device} may reserve again`;
  },
  "meter.granted": grantedText,
  "meter.adjusted": (data) => {
    const amount = amountText(figureOf(data["amount"]), unitOf(data), signed);
    return t`The balance was adjusted by ${amount}`;
  },
  "meter.low_balance": (data) => t`The balance is low: ${{ balance: balanceOf(data) }}`,
  "meter.depleted": () => t`The balance is used up`,
  "meter.wallet_restored": (data) =>
    t`The lost wallet was repaired with ${{ balance: balanceOf(data) }}`,
  "access_attempt.detected": (data) => {
    const device = textOf(data["attemptedHardwareId"]);
    return device === null
      ? t`An unknown device tried to use the license and was rejected`
      : t`Device ${device} tried to use the license and was rejected`;
  },
};

/** The device within a sentence. */
const objectOf = (data: Data): string => textOf(data["deviceName"]) ?? t`an unnamed device`;

/** A sentence that begins with who did it; null where it begins with a device nevertheless. */
type DoneBy = (who: string, data: Data) => string | null;

/** Who took a device off the license, unless that was the device itself or its user. */
function removedBy(who: string, data: Data): string | null {
  const device = objectOf(data);
  const reason = textOf(data["reason"]) ?? "";
  if (reason === "Forced") return t`${who} freed the seat of ${device} at once`;
  if (reason in REMOVED) return null;
  const freeAt = textOf(data["seatFreeAt"]);
  return freeAt === null
    ? t`${who} deactivated ${device}`
    : t`${who} deactivated ${device}; its seat is free on ${{ freeOn: date(freeAt) }}`;
}

function extendedBy(who: string, data: Data): string {
  const end = endOf(data);
  return end === null
    ? t`${who} extended the license without an end date`
    : t`${who} extended the license until ${end}`;
}

function mailedBy(who: string, data: Data): string {
  const recipient = textOf(data["recipient"]);
  return recipient === null
    ? t`${who} emailed the license to its holder`
    : t`${who} emailed the license to ${recipient}`;
}

const DONE_BY: Partial<Record<string, DoneBy>> = {
  "access_attempt.acknowledged": (who) => t`${who} marked an access attempt as reviewed`,
  "access_attempt.reopened": (who) => t`${who} marked an access attempt as not reviewed`,
  "customer.created": (who) => t`${who} created the customer`,
  "customer.updated": (who) => t`${who} changed the customer`,
  "customer.merged": (who) => t`${who} merged another customer into this one`,
  "customer.noted": (who, { note }) => textOf(note) ?? t`${who} added a note about the customer`,
  "customer.erased": (who) => t`${who} erased the personal data`,
  "customer.portal_link_sent": (who) => t`${who} sent a link to the portal`,
  "customer.portal_viewed": (who) => t`${who} viewed the portal as the customer`,
  "license.created": (who) => t`${who} issued the license`,
  "license.updated": (who) => t`${who} changed the license`,
  "license.renewed": extendedBy,
  "license.maintenance_renewed": (who) => t`${who} renewed the maintenance of the license`,
  "license.converted": (who, data) =>
    t`${who} converted the license to ${{ model: MODEL_LABELS[data["type"] as LicenseType] }}`,
  "license.mailed": mailedBy,
  "license.revoked": (who) => t`${who} revoked the license`,
  "license.restored": (who) => t`${who} restored the license`,
  "license.rekeyed": (who) => t`${who} replaced the key`,
  "license.noted": (who, { note }) => textOf(note) ?? t`${who} added a note to the license`,
  "license.suspended": (who) => t`${who} suspended the license`,
  "license.reinstated": (who) => t`${who} reinstated the license`,
  "activation.approved": (who, data) => t`${who} approved ${{ device: objectOf(data) }}`,
  "activation.blocked": (who, data) => t`${who} blocked ${{ device: objectOf(data) }}`,
  "activation.unblocked": (who, data) => t`${who} unblocked ${{ device: objectOf(data) }}`,
  "activation.change_accepted": (who, data) =>
    t`${who} accepted the changes of ${{ device: objectOf(data) }}`,
  "activation.offline_answered": (who, data) =>
    t`${who} answered the offline request of ${{ device: objectOf(data) }}`,
  "activation.offline_rejected": (who, data) =>
    t`${who} rejected the offline request of ${{ device: objectOf(data) }}`,
  "activation.deleted": removedBy,
  "enrollment_key.created": (who, data) =>
    t`${who} created deployment key ${{ name: textOf(data["name"]) ?? "" }}`,
  "enrollment_key.deleted": (who, data) =>
    t`${who} deleted deployment key ${{ name: textOf(data["name"]) ?? "" }}`,
  "session.ended": (who, data) =>
    data["reason"] === "ForceDisconnected"
      ? t`${who} ended the session on ${{ device: objectOf(data) }}`
      : null,
  "lease.recalled": (who, data) =>
    reservedIn(data) === null
      ? t`${who} recalled the seat that ${{ device: objectOf(data) }} borrowed`
      : t`${who} recalled the reservation of ${{ device: objectOf(data) }}`,
  "lease.acknowledged": (who, data) =>
    reservedIn(data) === null
      ? t`${who} lets ${{ device: objectOf(data) }} borrow a seat again`
      : t`${who} lets ${{ device: objectOf(data) }} reserve again`,
  "meter.granted": (who, data) =>
    t`${who} granted ${{ amount: amountText(figureOf(data["amount"]), unitOf(data)) }}`,
  "meter.adjusted": (who, data) =>
    t`${who} adjusted the balance by ${{ amount: amountText(figureOf(data["amount"]), unitOf(data), signed) }}`,
  "meter.wallet_restored": (who, data) =>
    t`${who} repaired the lost wallet with ${{ balance: balanceOf(data) }}`,
};

type Actor = Pick<LicenseEvent, "actorKind" | "actorName">;

/** Who did something; null if the user may not see that, and for the applications of devices. */
export const doerOf = ({ actorKind, actorName }: Actor): string | null =>
  actorKind === "ProductKey" ? null : actorWords(actorKind, actorName);

/** What a sentence about an event needs. */
interface EventFacts extends Actor {
  type: string;
  data: Data;
}

/** The sentence for an event: first who did it, or the device that did. */
export function sentenceOf({ type, data, actorKind, actorName }: EventFacts): string {
  const who = doerOf({ actorKind, actorName });
  const doneBy = who === null ? null : DONE_BY[type]?.(who, data);
  return doneBy ?? SENTENCES[type]?.(data) ?? eventWords(type);
}

/** Fields whose values are not readable: only say that they changed. */
const HIDDEN_VALUES: readonly string[] = ["metadata", "entitlementSetId", "softwareReleaseId"];
/** Fields whose values are numbers of days, which their names do not say. */
const DAYS: readonly string[] = ["graceDays", "maxBorrowDays"];
/** What only follows from what else the event says. */
const REDUNDANT_FIELDS: readonly string[] = [
  "revokedAt",
  "suspendedAt",
  "termAnchorDay",
  "termBeganAt",
];

function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return t`none`;
  if (Array.isArray(value)) return value.map(valueOf).join(", ") || t`none`;
  if (typeof value === "number") return number(value);
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? date(value) : value;
}

/** The reason and the changed fields of an event, as far as the user may see them. */
function detailsOf({ type, data, changes }: LicenseEvent): string {
  const parts: string[] = [];
  const isOfPerson = type.startsWith("license.") || type.startsWith("meter.");
  if (isOfPerson && typeof data["reason"] === "string") parts.push(data["reason"]);
  if (typeof data["externalReference"] === "string") parts.push(data["externalReference"]);
  if (changes && !type.endsWith(".created"))
    for (const [field, change] of Object.entries(changes)) {
      if (REDUNDANT_FIELDS.includes(field)) continue;
      const isHidden = HIDDEN_VALUES.includes(field);
      const label = isHidden ? fieldLabel(field) : fieldWords(field);
      const name = field === "licenseName" ? t`Name` : label;
      const [before, after] = change as [unknown, unknown];
      const told = (value: unknown) =>
        DAYS.includes(field) && typeof value === "number" ? daysText(value) : valueOf(value);
      parts.push(isHidden ? t`${name} changed` : `${name}: ${told(before)} → ${told(after)}`);
    }
  return parts.join(" · ");
}

/** Whether an event is a note of the team. */
export const isNote = ({ type }: Pick<LicenseEvent, "type">): boolean => type.endsWith(".noted");

type NameOf = (address: string | null) => string | null;

/** The events of a license as they stand in a timeline; `nameOf` tells what actors are called. */
export const eventsOf = (
  events: readonly LicenseEvent[],
  nameOf: NameOf = (address) => address,
): TimelineEvent[] => events.map((item) => eventOf({ ...item, actorName: nameOf(item.actorName) }));

const eventOf = (event: LicenseEvent): TimelineEvent => ({
  id: event.id,
  kind: event.type,
  occurredAt: event.occurredAt,
  sentence: sentenceOf(event),
  // A note is told in its own words, and signed.
  subject: isNote(event) ? doerOf(event) : detailsOf(event),
  strong: textOf(event.data["deviceName"]),
});
