/** Borrowing a seat, renewing its lease, and returning it. */

import { call, type Call } from "../core/api.js";
import { signedBy } from "../core/deviceKey.js";
import { requiredKey } from "../core/fileCheck.js";
import { NO_RETRIES } from "../core/retries.js";
import { formatTime, SECOND } from "../core/time.js";
import { claimsOf, type NodeCore } from "./core.js";
import {
  checkDays,
  ignoreFailure,
  isFinal,
  isGone,
  type Loan,
  obtain,
  pathOf,
  refused,
  renew,
} from "./leaseRequests.js";
import { readLease, type SeatLease } from "./leaseToken.js";

export { checkDays, refused } from "./leaseRequests.js";

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
    const core = this.#core;
    this.#lease = await core.change(async () =>
      renew(core, await loanOf(core), this.leaseId, days),
    );
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
    return obtain(core, await loanOf(core, { licenseKey, instanceId }), { days, sessionId });
  };
  return core.change(() => core.withKey("use", work));
}

/** How seats are borrowed; `asked` is sent with a request for a new lease alone. */
async function loanOf(
  core: NodeCore,
  asked: Readonly<Record<string, unknown>> = {},
): Promise<Loan<SeatLease>> {
  const file = await core.leaseFile();
  return {
    what: "the borrowed seat",
    file,
    read: (kept) => readLease(core, kept),
    fields: (pending) => ({ kind: "Seat", ...pending, ...asked }),
    after(token, { sessionId: told }, kept, pending) {
      const sessionId = typeof told === "string" ? told : (kept.sessionId ?? pending.sessionId);
      return { token, sessionId };
    },
    fits: () => true,
    async keep(lease, after) {
      await file.write(after);
      core.lease = lease;
    },
  };
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
    if (!isGone(error)) throw error;
  });
}

/** Reports a return that waits, in one attempt. Whether that succeeds does not matter now. */
export async function reportQuietly(core: NodeCore): Promise<void> {
  if (!core.hasServer) return;
  await report(core, { retries: NO_RETRIES, timeoutSeconds: 2 }).catch(ignoreFailure);
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
  const id = claimsOf(returning)?.["lease"];
  const fields = { receipt: returning, idempotencyKey: pending?.idempotencyKey };
  try {
    if (typeof id === "string") await call(core, `${pathOf(id)}/return`, fields, options);
  } catch (error) {
    if (isFinal(error)) await forget();
    throw error;
  }
  await forget();
}
