/** Reserving credits, and reporting, renewing and returning them. */

import { call, type Call } from "../core/api.js";
import { type DeviceKey, signedBy } from "../core/deviceKey.js";
import { LicenseFileError, ServerFaultError } from "../core/errors.js";
import { requiredKey } from "../core/fileCheck.js";
import { unexpectedReply } from "../core/reply.js";
import { NO_RETRIES } from "../core/retries.js";
import { formatTime, SECOND } from "../core/time.js";
import { claimsOf, type NodeCore } from "./core.js";
import { type Part, partsOf } from "./journal.js";
import type { KeptLease } from "./leaseFile.js";
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
  resume,
} from "./leaseRequests.js";
import { givenMicros, plainAmount } from "./micros.js";
import {
  type CreditsLease,
  judgeReservation,
  readCredits,
  readReservation,
  type Reservation,
} from "./reservation.js";

const LINES_PER_REQUEST = 500;

/** How long credits are reserved. */
export interface ReserveOptions {
  /** From now, 1 to 366, as many as the license allows; 7 by default. */
  readonly days?: number | undefined;
}

/**
 * Credits that this machine may spend without the server until their end: `consume()` takes them first.
 *
 * Amounts are exact decimals as text, and those of the latest call of the client.
 */
export class ReservedCredits {
  readonly #core: NodeCore;
  #latest: Reservation;

  constructor(core: NodeCore, reservation: Reservation) {
    this.#core = core;
    this.#latest = reservation;
  }

  get leaseId(): string {
    return this.#latest.lease.id;
  }

  /** 1 at first, and one more with each renewal. */
  get seq(): number {
    return this.#now.lease.seq;
  }

  /** What was reserved. */
  get amount(): string {
    return plainAmount(this.#now.lease.amount);
  }

  /** What was spent on this machine, by all copies of the application. */
  get spent(): string {
    return plainAmount(this.#now.journal.spent);
  }

  /** What can still be spent. */
  get remaining(): string {
    const { lease, journal } = this.#now;
    return plainAmount(lease.amount - journal.spent);
  }

  /** How many charges the server does not know yet. */
  get unreported(): number {
    const { journal, reported } = this.#now;
    return journal.lines - reported;
  }

  /** Nothing is spent from then on, but what was spent can still be reported for 30 days. */
  get endsAt(): Date {
    return new Date(this.#now.lease.endsAt);
  }

  /**
   * Reports the charges that the server does not know.
   *
   * @throws LeaseRefusedError The reservation has ended on the server, or its journal does not go on
   *   as the server knows it.
   * @throws NetworkError The server did not respond. The next call reports the same again.
   */
  async report(): Promise<this> {
    const core = this.#core;
    await core.changeCredits(async () => {
      await settleRenewal(core, this.leaseId);
      await reportCharges(core, this.leaseId);
    });
    return this.#look();
  }

  /**
   * Reports all charges, and moves the end of the reservation, never to an earlier time. Amount and
   * prices stay.
   *
   * @param days From now, 1 to 366, as many as the license allows.
   * @throws LeaseRefusedError The reservation has ended, was recalled, or may not be so long.
   * @throws NetworkError The server did not respond. The next call asks for the same again.
   */
  async renew(days = 7): Promise<this> {
    checkDays(days);
    const core = this.#core;
    await core.changeCredits(async () => {
      const renewedTo = await settleRenewal(core, this.leaseId);
      await reportCharges(core, this.leaseId);
      if (renewedTo !== days) await renew(core, await loanOf(core), this.leaseId, days);
    });
    return this.#look();
  }

  /**
   * Reports all charges and returns the rest. From now on nothing is spent from it on this machine,
   * whether or not the server hears it.
   *
   * @throws NetworkError The server did not respond. The receipt and the charges are kept, and sent at
   *   the next contact or by another call.
   * @throws LicenseFileError They cannot be written to disk, or the journal is missing or damaged; the
   *   credits are still reserved.
   */
  async return(): Promise<void> {
    const core = this.#core;
    await core.changeCredits(async () => {
      await endSpending(core, this.leaseId);
      await settleReturn(core).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    });
  }

  /** The reservation as the client has last seen it. */
  get #now(): Reservation {
    const { reservation } = this.#core;
    if (reservation?.lease.id === this.#latest.lease.id) this.#latest = reservation;
    return this.#latest;
  }

  async #look(): Promise<this> {
    const found = await readKept(this.#core);
    if (found?.lease.id === this.leaseId) this.#latest = found;
    await judgeReservation(this.#core, found);
    return this;
  }
}

/**
 * Reserves credits, or finishes what an earlier call has begun.
 *
 * @throws RangeError The amount or the days are out of range; nothing was sent.
 */
export async function reserve(
  core: NodeCore,
  credits: number | string,
  { days = 7 }: ReserveOptions,
): Promise<ReservedCredits> {
  const amount = plainAmount(givenMicros(credits));
  checkDays(days);
  const work = async () => {
    await endEnded(core);
    await settleReturn(core).catch((error: unknown) => {
      if (!isFinal(error) && !isGone(error)) throw error;
    });
    const licenseKey = await requiredKey(core);
    requireNone(core.reservation);
    const { id } = await obtain(core, await loanOf(core, { licenseKey }), { days, amount });
    return new ReservedCredits(core, await required(core, id));
  };
  return core.changeCredits(() => core.withKey("use", work));
}

/** @throws LeaseRefusedError This machine has reserved credits. */
function requireNone(found: Reservation | null): void {
  if (found === null) return;
  const until = formatTime(found.lease.endsAt);
  const message = `This device has reserved credits until ${until}. Renew or return them.`;
  throw refused("LeaseLimitReached", message);
}

/** How credits are reserved; `asked` is sent with a request for a new lease alone. */
async function loanOf(
  core: NodeCore,
  asked: Readonly<Record<string, unknown>> = {},
): Promise<Loan<CreditsLease>> {
  const [file, journal] = await Promise.all([core.creditsFile(), core.journal()]);
  return {
    what: "the reserved credits",
    file,
    read: (kept) => readCredits(core, kept),
    fields: (pending) => ({
      kind: "Credits",
      ...pending,
      amount: Number(pending.amount),
      ...asked,
    }),
    after: (token, _answer, { reported }, { seq }) => ({
      token,
      reported: seq === undefined ? undefined : reported,
    }),
    fits: ({ amount }, before, pending) =>
      plainAmount(amount) === (before === null ? pending.amount : plainAmount(before.amount)),
    keep: (lease, after, before) =>
      core.charging(async () => {
        // First: a token without its journal is worth nothing. One that is there is never begun anew.
        const isNew = before === null && (await journal.read(lease.id)) === null;
        if (isNew) await journal.create(lease.id);
        await file.write(after);
        core.reservation = await readReservation(core, after);
      }),
  };
}

async function readKept(core: NodeCore): Promise<Reservation | null> {
  return readReservation(core, await (await core.creditsFile()).read());
}

/** @throws LeaseRefusedError This machine does not have the reservation. */
async function required(core: NodeCore, leaseId: string): Promise<Reservation> {
  const found = await readKept(core);
  if (found?.lease.id !== leaseId) throw refused("LeaseNotFound");
  return found;
}

/**
 * Sends a renewal again whose answer has not come, because a report names the newest token. Returns its
 * days if it has been made.
 */
async function settleRenewal(core: NodeCore, leaseId: string): Promise<number | undefined> {
  await required(core, leaseId);
  const { pending } = await (await core.creditsFile()).read();
  const resumed = pending?.seq === undefined ? null : await resume(core, await loanOf(core));
  return resumed === null ? undefined : pending?.days;
}

/** Reports the charges that the server does not know, in parts. */
async function reportCharges(core: NodeCore, leaseId: string, options: Call = {}): Promise<void> {
  const { lease, journal, reported } = await required(core, leaseId);
  if (journal.lines === reported) return;
  const key = await requiredDeviceKey(core);
  const lines = await (await core.journal()).lines(leaseId);
  const { seq } = lease;
  await fromReported(reported, async (from) => {
    for (const part of partsOf(leaseId, lines, from, LINES_PER_REQUEST)) {
      await reportPart(core, key, { lease: leaseId, seq }, part, options);
    }
  });
}

/** Reports some lines, and notes how many the server has. */
async function reportPart(
  core: NodeCore,
  key: DeviceKey,
  { lease, seq }: { readonly lease: string; readonly seq: number },
  { lines, extent }: Part,
  options: Call,
): Promise<void> {
  const receipt = await receiptOf(core, key, { lease, seq, kind: "Used", ...extent });
  const fields = { receipt, journal: lines };
  const { body, requestId } = await call(core, `${pathOf(lease)}/report`, fields, options);
  if (body["leaseId"] !== lease) throw unexpectedReply("the reserved credits", requestId);
  const file = await core.creditsFile();
  if (body["state"] !== "Open") {
    await forget(core, await file.read());
    throw refused("LeaseNotFound");
  }
  await file.write({ ...(await file.read()), reported: extent.lines });
}

/** Does something with the lines from those that are not reported on, or from the first one. */
async function fromReported(
  reported: number,
  work: (from: number) => Promise<void>,
): Promise<void> {
  try {
    await work(reported);
  } catch (error) {
    // A server that was restored from a backup may have fewer.
    const isRefused = error instanceof ServerFaultError && error.httpStatus === 400;
    if (!isRefused || reported === 0) throw error;
    await work(0);
  }
}

/** Ends the spending of a reservation, and keeps the receipt that says so. */
async function endSpending(core: NodeCore, leaseId: string): Promise<void> {
  await core.charging(async () => {
    const file = await core.creditsFile();
    const kept = await file.read();
    if ((await readCredits(core, kept))?.id !== leaseId) return;
    const found = await readReservation(core, kept);
    if (found === null) {
      throw new LicenseFileError(
        "The reserved credits cannot be returned without their whole journal. Restore it, or ask the " +
          "vendor to end the reservation.",
      );
    }
    const { seq } = found.lease;
    const claims = { lease: leaseId, seq, kind: "Returned", ...found.journal.extent };
    const returning = await receiptOf(core, await requiredDeviceKey(core), claims);
    const pending = kept.pending?.seq === undefined ? undefined : kept.pending;
    await file.write({ returning, pending, reported: found.reported || undefined });
    core.reservation = null;
  });
}

/** Ends the spending of a reservation that has ended by itself. */
async function endEnded(core: NodeCore): Promise<void> {
  const found = await readKept(core);
  const result = await judgeReservation(core, found);
  if (found !== null && result === null) await endSpending(core, found.lease.id);
}

/** Reports a return that waits, in one attempt. Whether that succeeds does not matter now. */
export async function reportQuietly(core: NodeCore): Promise<void> {
  if (!core.hasServer) return;
  const options = { retries: NO_RETRIES, timeoutSeconds: 2 };
  await core
    .changeCredits(async () => {
      await endEnded(core);
      await settleReturn(core, options);
    })
    .catch(ignoreFailure);
}

/** Sends the charges and the receipt of a return, if one waits, until the server has judged it. */
async function settleReturn(core: NodeCore, options: Call = {}): Promise<void> {
  const kept = await (await core.creditsFile()).read();
  const { returning, pending, reported = 0 } = kept;
  if (returning === undefined) return;
  const { lease, seq, lines: count } = claimsOf(returning) ?? {};
  try {
    if (typeof lease === "string" && typeof seq === "number") {
      const lines = (await (await core.journal()).lines(lease)).slice(0, Number(count));
      const idempotencyKey = pending?.idempotencyKey;
      const key = await requiredDeviceKey(core);
      await fromReported(Math.min(reported, lines.length), async (from) => {
        const parts = partsOf(lease, lines, from, LINES_PER_REQUEST);
        const last = parts.pop()?.lines ?? [];
        for (const part of parts) await reportPart(core, key, { lease, seq }, part, options);
        const fields = { receipt: returning, idempotencyKey, journal: last };
        await call(core, `${pathOf(lease)}/return`, fields, options);
      });
    }
  } catch (error) {
    if (isFinal(error)) await forget(core, kept);
    throw error;
  }
  await forget(core, kept);
}

/** Forgets a reservation, unless there is another one by now. */
async function forget(core: NodeCore, { token, returning }: KeptLease): Promise<void> {
  await core.charging(async () => {
    const file = await core.creditsFile();
    const now = await file.read();
    if (now.token !== token || now.returning !== returning) return;
    await file.write({});
    await (await core.journal()).remove();
    core.reservation = null;
  });
}

/** @throws LicenseFileError The key of this device is missing or cannot be read. */
async function requiredDeviceKey(core: NodeCore): Promise<DeviceKey> {
  const { deviceKeys } = core.platform;
  const key = await deviceKeys.find(core.proofs.path).catch(() => null);
  if (key !== null) return key;
  throw new LicenseFileError(`${core.proofs.path}, the key of this device, cannot be read.`);
}

function receiptOf(core: NodeCore, key: DeviceKey, claims: object): Promise<string> {
  const iat = Math.floor(core.read().now / SECOND);
  return signedBy(key, "receipt+jwt", { aud: core.config.productId, iat, ...claims });
}
