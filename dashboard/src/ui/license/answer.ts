import { plural, t } from "@lingui/core/macro";
import type { License, Schemas } from "../../api/types";
import { date, number, relative, isNear } from "../formats";
import type { LicenseEvent } from "../licenseEvents";
import { MODEL_TRAITS } from "../models";
import { fateOf } from "../orders";
import { type Action, isRestorable } from "./available";

type Order = Schemas["Order"];

/** Whether a license works, why not, and the one thing to do about it. */
export interface Answer {
  tone: "good" | "wait" | "bad" | "over";
  sentence: string;
  /** The sentence in a few words, for a row of a list; only where the status does not say it. */
  short?: string;
  /** What it came of, where that has a page of its own. */
  because?: { to: string; words: string } | undefined;
  /** What an operator can do at once. */
  action?: Action;
  /** A tab of the license on which it can be done. */
  tab?: { path: string; label: string };
  /** Whether it says when the license ends, or that it does not. */
  tellsEnd?: true;
  /** Whether it says that other devices tried the license. */
  tellsAttempts?: true;
}

/** What the answer depends on beside the license. */
export interface Use {
  /** Other machines that tried it and were not reviewed. */
  attempts: number;
  /** Idle devices, whose seats a new one may take. */
  reclaimable: number;
  /** Devices that wait for approval. */
  pending: number;
  /** Offline requests that wait for approval. */
  offline: number;
  /** The order that it came of, as far as it is known. */
  order?: Order | undefined;
}

interface Cause {
  who: string | null;
  why: string | null;
  ago: string;
  because: Answer["because"];
}

/**
 * Who did what put the license into its status, when and why; null if that was too long ago. What
 * has ended meanwhile and was taken up again has the `since` of its first event.
 */
function causeOf(
  events: readonly LicenseEvent[],
  kind: string,
  since: string,
  order: Order | undefined,
): Cause | null {
  const found = events.filter(({ type }) => type === kind);
  const event = found.findLast(({ data }) => data[since] === found[0]?.data[since]);
  if (!event) return null;
  const { reason } = event.data;
  // A connector gives as the reason only which order it was.
  const isOrder = order !== undefined && reason === `Order ${order.externalId}`;
  return {
    who: event.actorName,
    why: typeof reason === "string" && reason !== "" && !isOrder ? reason : null,
    ago: relative(event.occurredAt),
    because: isOrder ? { to: `/orders/${order.id}`, words: fateOf(order) } : undefined,
  };
}

function suspendedText(cause: Cause | null): string {
  if (cause === null) return t`The license is suspended.`;
  const { who, why, ago } = cause;
  if (who !== null && why !== null) return t`Suspended by ${who} ${ago}: “${why}”`;
  if (who !== null) return t`Suspended by ${who} ${ago}.`;
  return why === null ? t`Suspended ${ago}.` : t`Suspended ${ago}: “${why}”`;
}

function revokedText(cause: Cause | null): string {
  if (cause === null) return t`The license was revoked.`;
  const { who, why, ago } = cause;
  if (who !== null && why !== null) return t`Revoked by ${who} ${ago}: “${why}”`;
  if (who !== null) return t`Revoked by ${who} ${ago}.`;
  return why === null ? t`Revoked ${ago}.` : t`Revoked ${ago}: “${why}”`;
}

/** That it works, and that others tried it. */
function triedAnswer({ expirationDate }: License, attempts: number): Answer {
  const end = expirationDate === null ? "" : date(expirationDate);
  return {
    tone: "wait",
    sentence:
      end === ""
        ? plural(attempts, {
            one: "Works, but # other device tried its key.",
            other: "Works, but # other devices tried its key.",
          })
        : plural(attempts, {
            one: `Works until ${end}, but # other device tried its key.`,
            other: `Works until ${end}, but # other devices tried its key.`,
          }),
    tab: { path: "access-attempts", label: t`Review` },
    short: plural(attempts, {
      one: "Tried by # other device",
      other: "Tried by # other devices",
    }),
    ...(end !== "" && { tellsEnd: true }),
    tellsAttempts: true,
  };
}

function fullText({ maxActiveUsersCount }: License, reclaimable: number): string {
  const seats = maxActiveUsersCount ?? 0;
  if (reclaimable > 0)
    return plural(seats, {
      one: "The only seat is in use. Another device takes it, since its device is idle.",
      other: "All # seats are in use. Another device takes the seat of an idle one.",
    });
  return plural(seats, {
    one: "The only seat is in use. Another device is rejected.",
    other: "All # seats are in use. Another device is rejected.",
  });
}

function lowText({ meterBalance, lowBalanceThreshold }: License): string {
  const balance = meterBalance ?? 0;
  if (balance <= 0) return t`The balance is used up. The next charge is rejected.`;
  return t`Works, but the balance is low: ${{ balance: number(balance) }}, threshold ${{ threshold: number(lowBalanceThreshold ?? 0) }}.`;
}

/** That devices are rejected until somebody approves them; null if none waits. */
function waitingAnswer({ pending, offline }: Use): Answer | null {
  if (pending === 0 && offline === 0) return null;
  return {
    tone: "wait",
    sentence:
      pending > 0
        ? plural(pending, {
            one: "# device is rejected until you approve it.",
            other: "# devices are rejected until you approve one.",
          })
        : plural(offline, {
            one: "# machine without a network waits for your approval.",
            other: "# machines without a network wait for your approval.",
          }),
    short: plural(pending > 0 ? pending : offline, {
      one: "# device to approve",
      other: "# devices to approve",
    }),
    tab: { path: "activations", label: t`Review` },
  };
}

function activeAnswer(license: License, use: Use): Answer {
  const { attempts, reclaimable } = use;
  const { type, maxActiveUsersCount: seats, seatsUsed, devicesOverLimit: over } = license;
  const end = license.expirationDate;
  if (over > 0)
    return {
      tone: "wait",
      sentence: plural(over, {
        one: "# device is over the limit and cannot use the license.",
        other: "# devices are over the limit and cannot use the license.",
      }),
      short: plural(over, { one: "# device over the limit", other: "# devices over the limit" }),
      tab: { path: "activations?status=OverLimit", label: t`Show devices` },
    };
  const waiting = waitingAnswer(use);
  if (waiting) return waiting;
  if (seats !== null && (seatsUsed ?? 0) >= seats)
    return {
      tone: "wait",
      sentence: fullText(license, reclaimable),
      short: t`All seats in use`,
      tab: {
        path: `${type === "Floating" ? "sessions" : "activations"}#free`,
        label: t`Free a seat`,
      },
    };
  if (
    MODEL_TRAITS[type].meter !== null &&
    (license.meterBalance ?? 0) <= (license.lowBalanceThreshold ?? 0)
  )
    return {
      tone: "wait",
      sentence: lowText(license),
      short: (license.meterBalance ?? 0) > 0 ? t`Balance low` : t`Balance used up`,
      action: "grant",
    };
  if (license.inGraceUntil !== null && end !== null)
    return {
      tone: "wait",
      sentence: t`The term ended on ${{ end: date(end) }}. The license works until ${{ last: date(license.inGraceUntil) }}.`,
      short: t`In grace until ${{ last: date(license.inGraceUntil) }}`,
      action: "term",
      tellsEnd: true,
    };
  if (license.inFallback)
    return {
      tone: "wait",
      sentence: t`The term has ended. The license works for the releases that it keeps.`,
      short: t`Term ended`,
      action: "term",
    };
  if (attempts > 0 && !(end !== null && isNear(end))) return triedAnswer(license, attempts);
  if (license.termDays !== null || license.termMonths !== null)
    return { tone: "good", sentence: t`Works. The term begins with the first use.` };
  if (end === null)
    return { tone: "good", sentence: t`Works, without an end date.`, tellsEnd: true };
  const sentence = t`Works until ${{ end: date(end) }}, ${{ ago: relative(end) }}.`;
  return isNear(end)
    ? {
        tone: "wait",
        sentence,
        short: t`Ends ${{ ago: relative(end) }}`,
        action: "term",
        tellsEnd: true,
      }
    : { tone: "good", sentence, tellsEnd: true };
}

/** The answer to what support is asked first; its latest events say who did it and why. */
export function answerOf(license: License, events: readonly LicenseEvent[], use: Use): Answer {
  const { status, revokedAt, expirationDate: end } = license;
  if (status === "Revoked") {
    const cause = causeOf(events, "license.revoked", "revokedAt", use.order);
    return {
      tone: "bad",
      sentence: revokedText(cause),
      because: cause?.because,
      ...(isRestorable(revokedAt) && { action: "restore" }),
    };
  }
  if (status === "Suspended") {
    const cause = causeOf(events, "license.suspended", "suspendedAt", use.order);
    return {
      tone: "wait",
      sentence: suspendedText(cause),
      because: cause?.because,
      action: "reinstate",
    };
  }
  if (status === "Expired" && end !== null)
    return {
      tone: "over",
      sentence: t`Expired ${{ ago: relative(end) }}, on ${{ end: date(end) }}.`,
      action: "term",
      tellsEnd: true,
    };
  return activeAnswer(license, use);
}

/** The answer as far as a list of licenses knows it: without what waits for approval. */
export const answerInList = (license: License): Answer =>
  answerOf(license, [], {
    attempts: license.type === "NodeLocked" ? license.unreviewedAccessAttempts : 0,
    reclaimable: 0,
    pending: 0,
    offline: 0,
  });
