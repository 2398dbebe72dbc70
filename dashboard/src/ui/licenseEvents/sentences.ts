import type { LicenseType, Schemas } from "../../api/types";
import { eventWords } from "../events";
import { date, dateTime, number, signed } from "../formats";
import { MODEL_LABELS } from "../labels";
import { END_WORDS } from "./sessionEnds";

export type LicenseEvent = Schemas["LicenseEvent"];
type Data = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const figureOf = (value: unknown): number => (typeof value === "number" ? value : 0);
const deviceOf = (data: Data): string => textOf(data["deviceName"]) ?? "An unnamed device";
const unitOf = (data: Data): string => (data["mode"] === "Count" ? "uses" : "credits");
const endOf = (data: Data): string => {
  const end = textOf(data["expirationDate"]);
  return end === null ? "no expiration date" : date(end);
};

function removedText(data: Data): string {
  const freeAt = textOf(data["seatFreeAt"]);
  const seat = freeAt === null ? "" : `; its seat is free on ${date(freeAt)}`;
  if (data["reason"] === "Device") return `${deviceOf(data)} deactivated itself${seat}`;
  if (data["reason"] === "Customer")
    return `${deviceOf(data)} was deactivated by the customer’s institution${seat}`;
  if (data["reason"] === "EndUser")
    return `${deviceOf(data)} was deactivated by the customer${seat}`;
  if (data["reason"] === "Forced") return `The seat of ${deviceOf(data)} was freed at once`;
  return `${deviceOf(data)} was deactivated${seat}`;
}

function endedText(data: Data): string {
  const reason = textOf(data["reason"]) as Schemas["EndReason"] | null;
  const why = reason === null ? "The session ended" : END_WORDS[reason];
  return `Session on ${deviceOf(data)} ended: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}

const omittedOf = (data: Data): number =>
  Object.values((data["counts"] as Record<string, number> | undefined) ?? {}).reduce(
    (sum, count) => sum + count,
    0,
  );

/** A sentence, without the final period, for each event kind of a license. */
const SENTENCES: Record<string, (data: Data) => string> = {
  "license.created": () => "The license was issued",
  "license.updated": () => "The license was changed",
  "license.renewed": (data) => `The license was renewed until ${endOf(data)}`,
  "license.converted": (data) =>
    `The trial was converted to ${MODEL_LABELS[data["type"] as LicenseType]}`,
  "license.revoked": () => "The license was revoked",
  "license.suspended": () => "The license was suspended",
  "license.reinstated": () => "The license was reinstated",
  "license.expiring": (data) => {
    const graceEnd = textOf(data["inGraceUntil"]);
    return graceEnd === null
      ? `The license expires soon, on ${endOf(data)}`
      : `The term has ended; the license stays active until ${date(graceEnd)}`;
  },
  "license.events_omitted": (data) =>
    `${number(omittedOf(data))} further events of applications between ${dateTime(textOf(data["from"]) ?? "")} and ${dateTime(textOf(data["to"]) ?? "")} were counted`,
  "license.expired": () => "The license expired",
  "license.mailed": (data) =>
    `An email was written to ${textOf(data["recipient"]) ?? "the receiver"}`,
  "license.mail_failed": (data) =>
    `An email to ${textOf(data["recipient"]) ?? "the receiver"} could not be delivered`,
  "activation.created": (data) => `${deviceOf(data)} was activated`,
  "activation.pending": (data) => `${deviceOf(data)} requested approval`,
  "activation.approved": (data) => `${deviceOf(data)} was approved`,
  "activation.blocked": (data) => `${deviceOf(data)} was blocked`,
  "activation.unblocked": (data) => `${deviceOf(data)} was unblocked`,
  "activation.deleted": removedText,
  "activation.limit_reached": (data) =>
    `A device was rejected because all ${number(figureOf(data["seatsTotal"]))} seats are in use`,
  "session.started": (data) => `${deviceOf(data)} connected`,
  "session.ended": endedText,
  "session.limit_reached": (data) =>
    `A session was rejected because all ${number(figureOf(data["seatsTotal"]))} seats are in use`,
  "meter.granted": (data) => `${number(figureOf(data["amount"]))} ${unitOf(data)} were granted`,
  "meter.adjusted": (data) =>
    `The balance was adjusted by ${signed(figureOf(data["amount"]))} ${unitOf(data)}`,
  "meter.low_balance": (data) =>
    `The balance is low: ${number(figureOf(data["balance"]))} ${unitOf(data)}`,
  "meter.depleted": () => "The balance is used up",
  "meter.wallet_restored": (data) =>
    `The lost wallet was repaired with ${number(figureOf(data["balance"]))} ${unitOf(data)}`,
  "access_attempt.detected": (data) =>
    `Machine ${textOf(data["attemptedHardwareId"]) ?? "unknown"} tried to use the license and was rejected`,
};

/** The sentence for an event, with its actor if that is a user or an API key. */
export function sentenceOf({ type, data, actorKind, actorName }: LicenseEvent): string {
  const sentence = SENTENCES[type]?.(data) ?? eventWords(type);
  if (actorName === null || actorKind === null) return sentence;
  if (actorKind === "User") return `${sentence} by ${actorName}`;
  return actorKind === "ApiKey" ? `${sentence} by API key ${actorName}` : sentence;
}
