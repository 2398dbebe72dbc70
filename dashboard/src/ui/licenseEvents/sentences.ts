import { plural, t } from "@lingui/core/macro";
import type { LicenseType, Schemas } from "../../api/types";
import { eventWords } from "../events";
import { date, dateTime, number, signed } from "../formats";
import { MODEL_LABELS } from "../labels";
import type { MeterKind } from "../models";
import { amountText } from "../quantities";
import { deviceOf, endOf, figureOf, textOf, type Data } from "./data";
import { removedText } from "./removals";
import { END_SENTENCES } from "./sessionEnds";

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
    ? t`The license expires soon, on no expiration date`
    : t`The license expires soon, on ${end}`;
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
  "license.created": () => t`The license was issued`,
  "license.updated": () => t`The license was changed`,
  "license.renewed": (data) => {
    const end = endOf(data);
    return end === null
      ? t`The license was renewed until no expiration date`
      : t`The license was renewed until ${end}`;
  },
  "license.converted": (data) =>
    t`The trial was converted to ${{ model: MODEL_LABELS[data["type"] as LicenseType] }}`,
  "license.revoked": () => t`The license was revoked`,
  "license.restored": () => t`The license was restored`,
  "license.rekeyed": () => t`The license got a new key`,
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
  "activation.pending": (data) => t`${{ device: deviceOf(data) }} requested approval`,
  "activation.approved": (data) => t`${{ device: deviceOf(data) }} was approved`,
  "activation.blocked": (data) => t`${{ device: deviceOf(data) }} was blocked`,
  "activation.unblocked": (data) => t`${{ device: deviceOf(data) }} was unblocked`,
  "activation.deleted": removedText,
  "activation.limit_reached": (data) =>
    t`A device was rejected because all ${{ seats: number(figureOf(data["seatsTotal"])) }} seats are in use`,
  "session.started": (data) => t`${{ device: deviceOf(data) }} connected`,
  "session.ended": endedText,
  "session.limit_reached": (data) =>
    t`A session was rejected because all ${{ seats: number(figureOf(data["seatsTotal"])) }} seats are in use`,
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
    const machine = textOf(data["attemptedHardwareId"]);
    return machine === null
      ? t`Machine unknown tried to use the license and was rejected`
      : t`Machine ${machine} tried to use the license and was rejected`;
  },
};

/** The sentence for an event, with its actor if that is a user or an API key. */
export function sentenceOf({ type, data, actorKind, actorName }: LicenseEvent): string {
  const sentence = SENTENCES[type]?.(data) ?? eventWords(type);
  if (actorName === null || actorKind === null) return sentence;
  if (actorKind === "User") return t`${sentence} by ${actorName}`;
  return actorKind === "ApiKey" ? t`${sentence} by API key ${actorName}` : sentence;
}
