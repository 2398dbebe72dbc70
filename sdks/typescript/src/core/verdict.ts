/**
 * The server's signed verdict, accepted only if every claim matches the request.
 *
 * The signature alone would allow a relay to replay the verdict on another license; the nonce alone
 * would allow a fake server. The unsigned JSON around the token is never read.
 */

import { word } from "../sentences/words.js";
import { malformed, readEpoch, readLicense, readObject, readString } from "./claims.js";
import { isQuarterHours } from "./clockGuard.js";
import { RejectedToken, requireThat, verifyToken } from "./jose.js";
import { isObject, type Json } from "./json.js";
import { keyHash } from "./keys.js";
import type { TrustedKey } from "./publicKey.js";
import { type License, LicenseResult } from "./result.js";
import { MESSAGES, sayUnknown } from "./startSentences.js";
import { isServerStatus, type LicenseStatus, refusalFinding, runs } from "./status.js";
import { asDate, formatDuration, formatTime, MINUTE } from "./time.js";

export const VERDICT_TYP = "verdict+jwt";
const LEEWAY = 2 * MINUTE;
const MAX_LIFETIME = 15 * MINUTE;

/** The request that a verdict must match. */
export interface VerdictRequest {
  readonly productId: string;
  readonly normalKey: string;
  readonly hardwareId: string | null;
  readonly nonce: string;
  /** Whether a verdict on a test license is accepted. */
  readonly testMode: boolean;
}

/** A verified verdict. */
export interface Verdict {
  readonly serverStatus: string;
  readonly status: LicenseStatus;
  readonly license: License | null;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /**
   * The server's time minus this machine's, positive if the clock is behind; `null` if the clock
   * is within the verdict's lifetime and leeway.
   */
  readonly clockOffset: number | null;
  /**
   * The same for an accepted test license, whose time is the server's; then the clock is never
   * wrong.
   */
  readonly serverAhead?: number;
}

/** A verdict that is stored on this machine, and what it is about. */
export interface KeptVerdict extends Verdict {
  readonly keyHash: string;
}

/**
 * Verifies a verdict token and matches its claims with the request.
 *
 * @throws RejectedToken The signature or a claim does not match.
 */
export async function verifyVerdict(
  token: unknown,
  keys: readonly TrustedKey[],
  request: VerdictRequest,
  now: number,
): Promise<Verdict> {
  requireThat(typeof token === "string", "the verdict is not signed");
  const [verdict, claims] = await readVerdict(token, keys, request.productId);
  requireThat(claims["nonce"] === request.nonce, "it is for another request (nonce)");
  const hash = await keyHash(request.normalKey);
  requireThat(claims["licenseKeyHash"] === hash, "it is for another license key");
  requireThat(claims["hardwareId"] === request.hardwareId, "it is for another machine");
  const ahead = verdict.issuedAt - now;
  if (verdict.license?.test && request.testMode) return { ...verdict, serverAhead: ahead };
  const fits = ahead <= LEEWAY && now <= verdict.expiresAt + LEEWAY;
  const status = verdict.license?.test ? "TestLicense" : verdict.status;
  return { ...verdict, status, clockOffset: fits ? null : ahead };
}

/** Verifies a verdict of this product; what it is about is left to the caller. */
async function readVerdict(
  token: string,
  keys: readonly TrustedKey[],
  productId: string,
): Promise<[Verdict, Json]> {
  const claims = await verifyToken(token, keys, VERDICT_TYP, false);
  requireThat(claims["aud"] === productId, "it is for another product");
  const [issuedAt, expiresAt] = [readEpoch(claims, "iat"), readEpoch(claims, "exp")];
  requireThat(
    issuedAt < expiresAt && expiresAt <= issuedAt + MAX_LIFETIME,
    "its lifetime is invalid",
  );
  const [serverStatus, status] = readStatus(claims);
  const license = readTerms(claims, status, issuedAt);
  return [{ serverStatus, status, license, issuedAt, expiresAt, clockOffset: null }, claims];
}

/** Reads a kept verdict; `null` if it was not signed for this product and this machine. */
export async function readKept(
  token: string,
  keys: readonly TrustedKey[],
  productId: string,
  hardwareId: string,
): Promise<KeptVerdict | null> {
  try {
    const [verdict, claims] = await readVerdict(token, keys, productId);
    if (claims["hardwareId"] !== hardwareId) return null;
    return { ...verdict, keyHash: readString(claims, "licenseKeyHash") };
  } catch (error) {
    if (error instanceof RejectedToken) return null;
    throw error;
  }
}

/** The result for a refusal in the place of license.bin. */
export function refusalResult(kept: KeptVerdict, now: number): LicenseResult {
  const [status, message] = refusalFinding(kept.serverStatus);
  return new LicenseResult({
    status,
    message,
    source: "file",
    license: kept.license,
    checkedAt: asDate(now),
    serverStatus: status === "Unknown" ? kept.serverStatus : null,
  });
}

/** Converts a verified verdict to the application's result. */
export function verdictResult(
  verdict: Verdict,
  now: number,
  requestId: string | null,
): LicenseResult {
  const { clockOffset, serverStatus } = verdict;
  const contradicted = runs(verdict.status) && clockOffset !== null;
  const status = contradicted ? "ClockTampered" : verdict.status;
  const message = contradicted
    ? clockMessage(clockOffset, now)
    : ((MESSAGES as Partial<Record<LicenseStatus, string>>)[status] ??
      sayUnknown(word(serverStatus)));
  return new LicenseResult({
    status,
    message,
    source: "server",
    license: verdict.license,
    checkedAt: asDate(now),
    serverStatus: status === "Unknown" ? serverStatus : null,
    requestId,
  });
}

function readStatus(claims: Json): [string, LicenseStatus] {
  const serverStatus = readString(claims, "status");
  const valid = claims["valid"];
  requireThat(typeof valid === "boolean", malformed("valid"));
  if (!isServerStatus(serverStatus)) return [serverStatus, "Unknown"];
  requireThat(runs(serverStatus) === valid, "it contradicts itself");
  return [serverStatus, serverStatus];
}

function readTerms(claims: Json, status: LicenseStatus, issuedAt: number): License | null {
  if (!runs(status) && !isObject(claims["license"])) return null;
  const terms = readLicense({ seat: claims["seat"], ...readObject(claims, "license") });
  if (!runs(status)) return terms;
  requireThat(terms.status === "Active", "it contradicts itself");
  requireThat(
    terms.expirationDate === null || terms.expirationDate.getTime() > issuedAt - LEEWAY,
    "it contradicts itself",
  );
  return terms;
}

function clockMessage(offset: number, now: number): string {
  const side = offset > 0 ? "behind" : "ahead of";
  const advice = isQuarterHours(offset)
    ? "The difference looks like a wrong time zone: correct the time zone."
    : "Correct the date and time.";
  return (
    `The license is valid, but this computer's clock (${formatTime(now)}) is ` +
    `${formatDuration(offset)} ${side} the license server's. ${advice} Then try again.`
  );
}
