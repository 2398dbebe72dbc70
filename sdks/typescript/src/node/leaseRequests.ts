/**
 * Asking for leases and renewals so that a lost answer changes nothing twice: what is asked for is on
 * the disk before it is sent, and is asked for again until it is settled.
 */

import { call } from "../core/api.js";
import { randomHex } from "../core/bytes.js";
import { errorForCode } from "../core/errorCodes.js";
import { LicetError, ServerFaultError } from "../core/errors.js";
import type { Json } from "../core/json.js";
import { RequestRefusedError } from "../core/refusals.js";
import { unexpectedReply } from "../core/reply.js";
import type { NodeCore } from "./core.js";
import type { KeptLease, LeaseFile, Pending } from "./leaseFile.js";
import type { Lease } from "./leaseToken.js";

const MAX_DAYS = 366;
/** What the server says of a receipt once and for all. */
const FINAL = [400, 404, 409];
/** What ends a renewal, and what else says that an earlier attempt has not made it. */
const ENDS = ["LeaseForked", "LeaseNotFound"];
const SETTLES = [...ENDS, "LeaseLimitReached", "IdempotencyKeyReused"];

/** A kind of lease: what is asked for one, and how it is kept. */
export interface Loan<Held extends Lease> {
  /** What it is called where an answer is not what a license server would say. */
  readonly what: string;
  readonly file: LeaseFile;
  /** Reads what is kept, without asking the clock; `null` if it is no lease of this machine. */
  read(kept: KeptLease): Promise<Held | null>;
  /** The fields of a request for a new lease, besides those of the device. */
  fields(pending: Pending): Readonly<Record<string, unknown>>;
  /** What is kept of an answer. */
  after(token: string | undefined, answer: Json, kept: KeptLease, pending: Pending): KeptLease;
  /** Whether a lease is what was asked for. */
  fits(lease: Held, before: Held | null, pending: Pending): boolean;
  /** Keeps a lease. */
  keep(lease: Held, after: KeptLease, before: Held | null): Promise<void>;
}

/** @throws RangeError A lease cannot have so many days. */
export function checkDays(days: number): void {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return;
  throw new RangeError(`days must be an integer from 1 to ${MAX_DAYS}.`);
}

/** An error that this machine has found, without a request. */
export function refused(errorCode: string, message = ""): LicetError {
  return errorForCode(errorCode, {}, () => null, message, { httpStatus: 0, errorCode });
}

/** Moves the end of a lease, or finishes what an earlier call has begun. */
export async function renew<Held extends Lease>(
  core: NodeCore,
  loan: Loan<Held>,
  leaseId: string,
  days: number,
): Promise<Held> {
  const { file } = loan;
  if ((await loan.read(await file.read()))?.id !== leaseId) throw refused("LeaseNotFound");
  const asked = (await file.read()).pending?.days;
  const resumed = await resume(core, loan);
  if (resumed !== null && asked === days) return resumed;
  const seq = (resumed ?? (await loan.read(await file.read())))?.seq;
  return begin(core, loan, { days, seq });
}

/** Asks for a new lease, or finishes what an earlier call has begun. */
export async function obtain<Held extends Lease>(
  core: NodeCore,
  loan: Loan<Held>,
  asked: Omit<Pending, "idempotencyKey">,
): Promise<Held> {
  const { pending } = await loan.file.read();
  const resumed = pending?.seq === undefined ? await resume(core, loan) : null;
  return resumed ?? begin(core, loan, asked);
}

/** Asks for something new. What is refused at the first attempt has not been made. */
async function begin<Held extends Lease>(
  core: NodeCore,
  loan: Loan<Held>,
  asked: Omit<Pending, "idempotencyKey">,
): Promise<Held> {
  // A lease that cannot be used now, as under a wrong clock, is still there if this is refused.
  const { token, sessionId, reported } = await loan.file.read();
  const kept = { token, sessionId, reported };
  try {
    return await send(core, loan, kept, { idempotencyKey: randomHex(16), ...asked });
  } catch (error) {
    if (error instanceof RequestRefusedError) await loan.file.write(kept);
    throw error;
  }
}

/** Sends a request again whose answer has not come; `null` if there is none, or it is refused now. */
export async function resume<Held extends Lease>(
  core: NodeCore,
  loan: Loan<Held>,
): Promise<Held | null> {
  const { pending, ...kept } = await loan.file.read();
  if (pending === undefined) return null;
  try {
    return await send(core, loan, kept, pending);
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    const code = error.errorCode ?? "";
    const isRenewal = pending.seq !== undefined;
    if (isRenewal && !SETTLES.includes(code)) throw error;
    await loan.file.write(kept);
    if (isRenewal && ENDS.includes(code)) throw error;
    return null;
  }
}

/** Sends a request that is on the disk before, and keeps the lease of the answer. */
async function send<Held extends Lease>(
  core: NodeCore,
  loan: Loan<Held>,
  kept: KeptLease,
  pending: Pending,
): Promise<Held> {
  const before = pending.seq === undefined ? null : await loan.read(kept);
  await loan.file.write({ ...kept, pending });
  const { seq, days, idempotencyKey } = pending;
  const { body, requestId } =
    before === null
      ? await call(core, "/leases", await newFields(core, loan.fields(pending)), {
          success: [200, 201],
        })
      : await call(core, `${pathOf(before.id)}/renew`, { seq, days, idempotencyKey });
  const token = typeof body["lease"] === "string" ? body["lease"] : undefined;
  const after = loan.after(token, body, kept, pending);
  const lease = await loan.read(after);
  const isNext = lease !== null && (token === kept.token || follows(lease, before));
  if (!isNext || !loan.fits(lease, before, pending)) throw unexpectedReply(loan.what, requestId);
  await loan.keep(lease, after, before);
  return lease;
}

/** Whether a lease is another one, or a newer one in place of the one before. */
function follows(lease: Lease, before: Lease | null): boolean {
  if (before === null) return true;
  return lease.id === before.id && lease.seq > before.seq && lease.endsAt >= before.endsAt;
}

async function newFields(core: NodeCore, asked: Readonly<Record<string, unknown>>) {
  const { deviceName, appVersion } = core.config;
  const hardwareId = await core.hardwareId();
  return { hardwareId, deviceName, appVersion, ...asked, ...core.credentials };
}

/** Whether the server has judged a receipt once and for all. */
export function isFinal(error: unknown): boolean {
  return error instanceof ServerFaultError && FINAL.includes(error.httpStatus);
}

/** Whether the server does not know a lease, as one that has ended. */
export function isGone(error: unknown): boolean {
  return error instanceof RequestRefusedError && error.errorCode === "LeaseNotFound";
}

/** Lets a failure wait for the next contact. */
export function ignoreFailure(error: unknown): void {
  if (!(error instanceof LicetError)) throw error;
}

export function pathOf(leaseId: string): string {
  return `/leases/${encodeURIComponent(leaseId)}`;
}
