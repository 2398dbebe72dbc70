/** Reserved credits as this machine has them: a lease, and the journal of what it has spent. */

import { malformed, readObject } from "../core/claims.js";
import type { Json } from "../core/json.js";
import { requireThat } from "../core/jose.js";
import type { LicenseResult } from "../core/result.js";
import type { NodeCore } from "./core.js";
import type { Journal } from "./journal.js";
import type { KeptLease } from "./leaseFile.js";
import { judgeLease, type Lease, readToken } from "./leaseToken.js";
import { readMicros } from "./micros.js";

const ONE = 1_000_000n;

/** A lease of credits. Amounts are in millionths. */
export interface CreditsLease extends Lease {
  readonly amount: bigint;
  readonly mode: "Count" | "Token";
  /** What a use of a feature costs, if features have prices. */
  readonly prices: readonly Price[];
  /** Whether the license restricts no features. */
  readonly anyFeature: boolean;
}

export interface Price {
  /** The feature as the vendor spells it; as the application does if each use costs 1. */
  readonly feature: string;
  readonly each: bigint;
}

/** Credits that are reserved on this machine. */
export interface Reservation {
  readonly lease: CreditsLease;
  readonly journal: Journal;
  /** How many lines of the journal the server has. */
  readonly reported: number;
}

/** Reads a lease without asking the clock; `null` if it is not one of this license key and machine. */
export async function readCredits(
  core: NodeCore,
  { token }: KeptLease,
): Promise<CreditsLease | null> {
  return readToken(core, token, "Credits", complete);
}

function complete(lease: Lease, claims: Json): CreditsLease {
  const { quantity, mode, anyFeature } = claims;
  const amount = readMicros(quantity);
  requireThat(amount !== null && amount > 0n, malformed("quantity"));
  requireThat(mode === "Count" || mode === "Token", malformed("mode"));
  const prices = mode === "Token" ? Object.entries(readObject(claims, "prices")) : [];
  return {
    ...lease,
    amount,
    mode,
    prices: prices.map(([feature, price]) => {
      const each = readMicros(price);
      requireThat(each !== null, malformed("prices"));
      return { feature, each };
    }),
    anyFeature: anyFeature === true,
  };
}

/** What a feature costs; `null` if it cannot be charged without the server. Ignores case. */
export function priceOf(
  { mode, prices, anyFeature, file }: CreditsLease,
  name: string,
): Price | null {
  const wanted = folded(name);
  if (mode === "Token") return prices.find(({ feature }) => folded(feature) === wanted) ?? null;
  const isGranted = file.license.features?.some((feature) => folded(feature) === wanted) ?? false;
  return isGranted || anyFeature ? { feature: name, each: ONE } : null;
}

/** A name without case, as the server compares it. */
export function folded(name: string): string {
  return name.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * The reservation that a file keeps, whatever the clock says.
 *
 * Without its whole journal it is none: one that began anew would spend the same credits twice.
 */
export async function readReservation(
  core: NodeCore,
  kept: KeptLease,
): Promise<Reservation | null> {
  const lease = await readCredits(core, kept);
  if (lease === null) return null;
  const { reported = 0 } = kept;
  const file = await core.journal();
  const journal = await file.read(lease.id);
  if (journal === null || journal.lines < reported || journal.spent > lease.amount) {
    core.tellOnce(
      `The credits that are reserved on this machine cannot be used: ${file.path} is missing, damaged ` +
        "or not the newest one. Restore it, or ask the vendor.",
    );
    return null;
  }
  return { lease, journal, reported };
}

/** What reserved credits say of the license; `null` after their end. Notes them if they are usable. */
export async function judgeReservation(
  core: NodeCore,
  found: Reservation | null,
): Promise<LicenseResult | null> {
  const result = found && (await judgeLease(core, found.lease, "credits are reserved"));
  core.reservation = result?.valid === true ? found : null;
  core.hasEndedReservation = found !== null && result === null;
  return result;
}
