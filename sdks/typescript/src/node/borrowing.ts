/** Borrowing a seat, renewing its lease, and returning it. */

import { call, type Call } from "../core/api.js";
import { decodeBase64Url, randomHex } from "../core/bytes.js";
import { signedBy } from "../core/deviceKey.js";
import { errorForCode } from "../core/errorCodes.js";
import { LicetError, ServerFaultError } from "../core/errors.js";
import { requiredKey } from "../core/fileCheck.js";
import { parseObject } from "../core/json.js";
import { RequestRefusedError } from "../core/refusals.js";
import { unexpectedReply } from "../core/reply.js";
import { NO_RETRIES } from "../core/retries.js";
import { formatTime, SECOND } from "../core/time.js";
import type { NodeCore } from "./core.js";
import type { KeptLease, LeaseFile, Pending } from "./leaseFile.js";
import { readLease, type SeatLease } from "./leaseToken.js";

const MAX_DAYS = 366;
/** What the server says of a receipt once and for all. */
const FINAL = [400, 404, 409];
/** What ends a renewal, and what else says that an earlier attempt has not made it. */
const ENDS = ["LeaseForked", "LeaseNotFound"];
const SETTLES = [...ENDS, "LeaseLimitReached", "IdempotencyKeyReused"];

/** A seat that this machine may use without the server until its lease ends. */
export class BorrowedSeat {
  readonly #core: NodeCore;
  #lease: SeatLease;

  constructor(core: NodeCore, lease: SeatLease) {
    this.#core = core;
    this.#lease = lease;
  }

  get leaseId(): string {
    return this.#lease.id;
  }

  /** 1 at first, and one more with each renewal. */
  get seq(): number {
    return this.#lease.seq;
  }

  get endsAt(): Date {
    return new Date(this.#lease.endsAt);
  }

  /**
   * Moves the end of the lease, never to an earlier time.
   *
   * @param days From now, 1 to 366, as many as the license allows.
   * @throws LeaseRefusedError The lease has ended, was recalled, or may not be so long.
   * @throws NetworkError The server did not respond. The next call asks for the same again.
   */
  async renew(days = 14): Promise<this> {
    checkDays(days);
    const renewed = () => renew(this.#core, this.leaseId, days);
    this.#lease = await this.#core.change(renewed);
    return this;
  }

  /**
   * Returns the seat. From now on it is not used on this machine, whether or not the server hears it.
   *
   * @throws NetworkError The server did not respond. The receipt is kept, and sent at the next
   *   contact or by another call.
   * @throws LicenseFileError It cannot be written to disk; the seat is still borrowed.
   */
  async return(): Promise<void> {
    await this.#core.change(() => returnSeat(this.#core, this.leaseId));
  }
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

/** @throws LeaseRefusedError This machine has borrowed a seat. */
export function requireNone(lease: SeatLease | null): void {
  if (lease === null) return;
  const until = formatTime(lease.endsAt);
  const message = `This device has borrowed a seat until ${until}. Renew or return it.`;
  throw refused("LeaseLimitReached", message);
}

/** Borrows the seat of a session, or finishes what an earlier call has begun. */
export function borrow(
  core: NodeCore,
  days: number,
  sessionId: string,
  instanceId: string,
): Promise<SeatLease> {
  const work = async () => {
    await report(core).catch((error: unknown) => {
      if (!isFinal(error)) throw error;
    });
    const licenseKey = await requiredKey(core);
    requireNone(await core.borrowed());
    const file = await core.leaseFile();
    const asked = { licenseKey, instanceId };
    const { pending } = await file.read();
    const resumed = pending?.seq === undefined ? await resume(core, file, asked) : null;
    return resumed ?? begin(core, file, { days, sessionId }, asked);
  };
  return core.change(() => core.withKey("use", work));
}

async function renew(core: NodeCore, leaseId: string, days: number): Promise<SeatLease> {
  const file = await core.leaseFile();
  if ((await readLease(core, await file.read()))?.id !== leaseId) {
    throw refused("LeaseNotFound");
  }
  const asked = (await file.read()).pending?.days;
  const resumed = await resume(core, file);
  if (resumed !== null && asked === days) return resumed;
  const seq = (resumed ?? (await readLease(core, await file.read())))?.seq;
  return begin(core, file, { days, seq });
}

/** Asks for something new. What is refused at the first attempt has not been made. */
async function begin(
  core: NodeCore,
  file: LeaseFile,
  asked: Omit<Pending, "idempotencyKey">,
  borrowing?: Borrowing,
): Promise<SeatLease> {
  // A lease that cannot be used now, as under a wrong clock, is still there if this is refused.
  const { token, sessionId } = await file.read();
  const kept = { token, sessionId };
  try {
    return await send(core, file, kept, { idempotencyKey: randomHex(16), ...asked }, borrowing);
  } catch (error) {
    if (error instanceof RequestRefusedError) await file.write(kept);
    throw error;
  }
}

/** Sends a request again whose answer has not come; `null` if there is none, or it is refused now. */
async function resume(
  core: NodeCore,
  file: LeaseFile,
  borrowing?: Borrowing,
): Promise<SeatLease | null> {
  const { pending, ...kept } = await file.read();
  if (pending === undefined) return null;
  try {
    return await send(core, file, kept, pending, borrowing);
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    const code = error.errorCode ?? "";
    const isRenewal = pending.seq !== undefined;
    if (isRenewal && !SETTLES.includes(code)) throw error;
    await file.write(kept);
    if (isRenewal && ENDS.includes(code)) throw error;
    return null;
  }
}

interface Borrowing {
  readonly licenseKey?: string;
  readonly instanceId?: string;
}

/** Sends a request that is on the disk before, and keeps the lease of the answer. */
async function send(
  core: NodeCore,
  file: LeaseFile,
  kept: KeptLease,
  pending: Pending,
  borrowing?: Borrowing,
): Promise<SeatLease> {
  const before = pending.seq === undefined ? null : await readLease(core, kept);
  await file.write({ ...kept, pending });
  const { seq, days, idempotencyKey } = pending;
  const { body, requestId } =
    before === null
      ? await call(core, "/leases", await borrowFields(core, pending, borrowing), {
          success: [200, 201],
        })
      : await call(core, `${pathOf(before.id)}/renew`, { seq, days, idempotencyKey });
  const after = {
    token: textOr(body["lease"], undefined),
    sessionId: textOr(body["sessionId"], kept.sessionId ?? pending.sessionId),
  };
  const lease = await readLease(core, after);
  if (lease === null || !(after.token === kept.token || follows(lease, before))) {
    throw unexpectedReply("the borrowed seat", requestId);
  }
  await file.write(after);
  return (core.lease = lease);
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === "string" ? value : other;
}

/** Whether a lease is another one, or a newer one in place of the one before. */
function follows(lease: SeatLease, before: SeatLease | null): boolean {
  if (before === null) return true;
  return lease.id === before.id && lease.seq > before.seq && lease.endsAt >= before.endsAt;
}

async function borrowFields(core: NodeCore, pending: Pending, borrowing?: Borrowing) {
  const { deviceName, appVersion } = core.config;
  const hardwareId = await core.hardwareId();
  const asked = { kind: "Seat", ...pending, ...borrowing, ...core.credentials };
  return { hardwareId, deviceName, appVersion, ...asked };
}

async function returnSeat(core: NodeCore, leaseId: string): Promise<void> {
  const file = await core.leaseFile();
  const kept = await file.read();
  const lease = await readLease(core, kept);
  const key = await core.platform.deviceKeys.find(core.proofs.path).catch(() => null);
  if (lease?.id === leaseId && key !== null) {
    const iat = Math.floor(core.read().now / SECOND);
    const aud = core.config.productId;
    const claims = { aud, lease: leaseId, seq: lease.seq, iat, kind: "Returned" };
    const returning = await signedBy(key, "receipt+jwt", claims);
    const pending = kept.pending?.seq === undefined ? undefined : kept.pending;
    await file.write({ returning, pending });
    core.lease = null;
  }
  await report(core).catch((error: unknown) => {
    const isGone = error instanceof RequestRefusedError && error.errorCode === "LeaseNotFound";
    if (!isGone) throw error;
  });
}

/** Reports a return that waits, in one attempt. Whether that succeeds does not matter now. */
export async function reportQuietly(core: NodeCore): Promise<void> {
  if (!core.hasServer) return;
  await report(core, { retries: NO_RETRIES, timeoutSeconds: 2 }).catch((error: unknown) => {
    if (!(error instanceof LicetError)) throw error;
  });
}

/** Sends the receipt of a returned seat, if one waits, until the server has judged it. */
async function report(core: NodeCore, options: Call = {}): Promise<void> {
  const file = await core.leaseFile();
  const { returning, pending } = await file.read();
  if (returning === undefined) return;
  const forget = async () => {
    // Another call may have reported it meanwhile, and borrowed a seat again.
    if ((await file.read()).returning === returning) await file.write({});
  };
  const id = leaseOf(returning);
  const fields = { receipt: returning, idempotencyKey: pending?.idempotencyKey };
  try {
    if (id !== null) await call(core, `${pathOf(id)}/return`, fields, options);
  } catch (error) {
    if (isFinal(error)) await forget();
    throw error;
  }
  await forget();
}

function isFinal(error: unknown): boolean {
  return error instanceof ServerFaultError && FINAL.includes(error.httpStatus);
}

function pathOf(leaseId: string): string {
  return `/leases/${encodeURIComponent(leaseId)}`;
}

/** The lease that a receipt is for; `null` if the file is damaged. */
function leaseOf(receipt: string): string | null {
  const claims = decodeBase64Url(receipt.split(".")[1] ?? "");
  const id = claims && parseObject(claims)?.["lease"];
  return typeof id === "string" ? id : null;
}
