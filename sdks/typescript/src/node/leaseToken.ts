/** Lease tokens: what this machine has borrowed or reserved, and whether it may be used now. */

import {
  malformed,
  type LicenseFile,
  readEpoch,
  readFileClaims,
  readString,
} from "../core/claims.js";
import type { LicenseCore } from "../core/core.js";
import { isVerdict } from "../core/fileCheck.js";
import { isObject, type Json } from "../core/json.js";
import { RejectedToken, requireThat, verifyToken } from "../core/jose.js";
import { keyHash } from "../core/keys.js";
import type { LicenseResult } from "../core/result.js";
import { assessFileClock, evaluateFile, type SignedRefusal, timeOf } from "../core/rules.js";
import { withAnchor, withClockReading } from "../core/state.js";
import { type LicenseStatus, runs } from "../core/status.js";
import { asDate, formatTime } from "../core/time.js";
import type { KeptLease } from "./leaseFile.js";

const TYP = "lease+jwt";
/** What a file is after its end that was in order until then. */
const ENDED: readonly LicenseStatus[] = ["Expired", "ReleaseNotAllowed", "RefreshRequired"];

/** A lease that the product has signed for this machine and its device key. */
export interface Lease {
  readonly id: string;
  /** 1 at first, and one more with each renewal. */
  readonly seq: number;
  readonly endsAt: number;
  /** The same as a license.bin of this machine, which ends with it. */
  readonly file: LicenseFile;
}

/** A seat that is borrowed. */
export interface SeatLease extends Lease {
  /** The session whose seat it is; empty if that is not known. */
  readonly sessionId: string;
}

/** Reads a lease without asking the clock; `null` if it is not one of this license key and machine. */
export async function readLease(
  core: LicenseCore,
  { token, sessionId = "" }: KeptLease,
): Promise<SeatLease | null> {
  return readToken(core, token, "Seat", (lease) => ({ ...lease, sessionId }));
}

/** Reads a lease of a kind; `null` if it is not one of this license key and machine. */
export async function readToken<Kept extends Lease>(
  core: LicenseCore,
  token: string | undefined,
  kind: "Seat" | "Credits",
  complete: (lease: Lease, claims: Json) => Kept,
): Promise<Kept | null> {
  if (token === undefined) return null;
  try {
    const claims = await verifyToken(token, await core.keys(), TYP, true);
    return complete(await checkLease(core, claims, kind), claims);
  } catch (error) {
    if (error instanceof RejectedToken) return null;
    throw error;
  }
}

async function checkLease(core: LicenseCore, claims: Json, kind: string): Promise<Lease> {
  const { normalKey, productId } = core.config;
  const ownHash = normalKey === null ? core.foundKeyHash : await keyHash(normalKey);
  const hardwareId = await core.hardwareId();
  const expected = { aud: productId, kind, licenseKeyHash: ownHash, hardwareId };
  for (const [name, value] of Object.entries(expected)) {
    requireThat(value !== null && claims[name] === value, `it is for another ${name}`);
  }
  const seq = claims["seq"];
  requireThat(Number.isSafeInteger(seq) && (seq as number) >= 1, malformed("seq"));
  readEpoch(claims, "nbf");
  const endsAt = readEpoch(claims, "exp");
  requireThat(isObject(claims["cnf"]), malformed("cnf"));
  const read = await readFileClaims({ ...claims, hardwareIds: [hardwareId] }, false);
  requireThat(read.jkt === (await core.proofs.jkt()), "it is for another device key");
  const file = { ...read, online: false, keyHash: ownHash };
  return { id: readString(claims, "jti"), seq: seq as number, endsAt, file };
}

/**
 * What the lease says of the license now; `null` after its end.
 *
 * @param what What it is for, as in "a seat is borrowed".
 */
export async function judgeLease(
  core: LicenseCore,
  { file, endsAt }: Lease,
  what: string,
): Promise<LicenseResult | null> {
  const store = await core.store();
  const reading = core.read();
  const state = await store.update((old) => {
    const at = timeOf(file.license, file.issuedAt, reading, old);
    return withClockReading(withAnchor(old, file.issuedAt, at), at);
  });
  const known = await core.fileContext(state, file);
  const context = { ...known, refused: known.refused ?? (await placedRefusal(core, file)) };
  const result = evaluateFile(file, context);
  const hasEnded = assessFileClock(file, context).judgedAt >= endsAt;
  if (hasEnded && ENDED.includes(result.status)) return null;
  if (!result.valid) return result.with({ refreshBy: null });
  return result.with({
    refreshBy: null,
    leaseEndsAt: asDate(endsAt),
    message: `The license is valid: ${what} until ${formatTime(endsAt)}.`,
  });
}

/** A refusal of the license in the place of license.bin. */
async function placedRefusal(core: LicenseCore, file: LicenseFile): Promise<SignedRefusal | null> {
  const text = await core.readFile();
  const kept = text !== null && isVerdict(text) ? await core.readKept(text) : null;
  if (kept === null || runs(kept.status) || kept.keyHash !== file.keyHash) return null;
  return { keyHash: kept.keyHash, status: kept.serverStatus, at: kept.issuedAt };
}
