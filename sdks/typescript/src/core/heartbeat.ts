/**
 * The state machine of a session's heartbeats. Pure: no clock, no timer, no network.
 *
 * Invariant: a session is alive from the server's grant until the server refuses it, or until the
 * server must have released the seat because no heartbeat arrived. Each change is reported once.
 * Times are seconds on a monotonic clock; jitter is 0 to 1.
 */

import { type LicetError, NetworkError, ServerFaultError, UnexpectedReplyError } from "./errors.js";
import { RateLimitedError, ServerUnavailableError } from "./partErrors.js";
import type { SessionGrant } from "./sessionCalls.js";
import {
  ActivationRequiredError,
  ApprovalPendingError,
  DeviceBlockedError,
  DeviceProofRequiredError,
  HardwareMismatchError,
  LicenseRefusedError,
  SeatsExhaustedError,
  SessionLostError,
} from "./refusals.js";

const EARLIEST_FRACTION = 0.8;
const FIRST_RETRY = 1;
const MAX_RETRY_AFTER = 3600;
const MIN_CALL_TIMEOUT = 1;
const REFUSALS = [
  ActivationRequiredError,
  ApprovalPendingError,
  DeviceBlockedError,
  DeviceProofRequiredError,
  HardwareMismatchError,
  LicenseRefusedError,
  SeatsExhaustedError,
];
const TRANSIENT = [NetworkError, ServerUnavailableError, UnexpectedReplyError];

/** The session has lost its seat because of an error, or holds one again. */
export type SessionEvent = { readonly lost: LicetError } | "regained" | null;

export class Heartbeat {
  /** Whether the seat is held, as far as the client knows. */
  alive = true;
  /** Whether the server may still hold the seat, so that it has to be told at the end. */
  needsDisconnect = true;
  /**
   * That another living copy has taken the instance ID, so that this one needs a new ID to connect;
   * `null` while it holds a seat of its own.
   */
  taken: SessionLostError | null = null;
  /** The next call to make, and when. */
  call: "heartbeat" | "connect" = "heartbeat";
  due = 0;
  grant: SessionGrant;
  #lastError: LicetError | null = null;
  #failures = 0;
  #expires = 0;
  #notBefore: number;

  constructor(grant: SessionGrant, sent: number, jitter: number) {
    this.grant = grant;
    this.#notBefore = sent;
    this.#renew(grant, sent, jitter);
  }

  /** Whether the seat is held at this time, by what the server last granted. */
  holds(now: number): boolean {
    return this.alive && this.taken === null && now < this.#expires;
  }

  /**
   * The timeout of a call made now: short enough to leave time for another attempt and to report a
   * loss in time.
   */
  callTimeout(now: number, fallback: number): number {
    if (!this.alive) return fallback;
    const limits = [this.grant.timeout / 3, this.#expires - now];
    return Math.min(fallback, ...limits.map((limit) => Math.max(MIN_CALL_TIMEOUT, limit)));
  }

  /**
   * Checks before a call whether the grant has expired. It expires only after a call has failed, so
   * a machine that was asleep first makes the call.
   */
  checkExpiry(now: number): SessionEvent {
    if (!this.alive || this.#lastError === null || now < this.#expires) return null;
    this.due = Math.max(now, this.#notBefore);
    return this.#expire(this.#lastError);
  }

  /** Records the outcome of the call that was sent at `sent`. */
  record(
    outcome: SessionGrant | LicetError,
    sent: number,
    now: number,
    jitter: number,
  ): SessionEvent {
    if (!(outcome instanceof Error)) return this.#renew(outcome, sent, jitter);
    if (outcome instanceof SessionLostError && this.call === "heartbeat") {
      this.reconnect(now);
      // Only a session that lives can hear that another one has taken its place.
      this.taken = outcome.endReason === "Replaced" ? outcome : null;
      return null;
    }
    if (REFUSALS.some((kind) => outcome instanceof kind)) {
      const pause = afterInterval(this.grant.interval, jitter);
      this.due = now + Math.max(pause, requestedDelay(outcome));
      return this.#lose(outcome);
    }
    return this.#scheduleRetry(outcome, now, jitter);
  }

  /** The server has ended the session, for example while this machine was asleep. */
  reconnect(now: number): void {
    this.needsDisconnect = false;
    this.call = "connect";
    this.due = now;
  }

  #renew(grant: SessionGrant, sent: number, jitter: number): SessionEvent {
    const regained = !this.alive;
    this.grant = grant;
    this.call = "heartbeat";
    this.alive = this.needsDisconnect = true;
    this.#lastError = this.taken = null;
    this.#failures = 0;
    // The server's timeout cannot have started before the request was sent.
    this.#expires = sent + grant.timeout;
    this.due = sent + beforeInterval(grant.interval, jitter);
    return regained ? "regained" : null;
  }

  #scheduleRetry(error: LicetError, now: number, jitter: number): SessionEvent {
    this.#lastError = error;
    this.#notBefore = now + requestedDelay(error);
    this.due = Math.max(now + this.#pause(error, jitter), this.#notBefore);
    if (!this.alive) return null;
    if (this.taken !== null) return this.#lose(this.taken);
    if (now >= this.#expires) return this.#expire(error);
    // Make one more attempt shortly before the grant expires, then wake when it expires.
    const lastChance = this.#expires - this.grant.timeout / 10;
    this.due = Math.min(this.due, now < lastChance ? lastChance : this.#expires);
    return null;
  }

  #pause(error: LicetError, jitter: number): number {
    const { interval } = this.grant;
    const first = Math.min(FIRST_RETRY, interval / 4);
    if (error instanceof RateLimitedError) {
      return error.retryAfter === null ? beforeInterval(interval, jitter) : first;
    }
    if (!TRANSIENT.some((kind) => error instanceof kind)) return afterInterval(interval, jitter);
    const backoff = first * 2 ** Math.min(this.#failures, 30);
    this.#failures += 1;
    return Math.min(backoff, this.alive ? interval / 2 : interval) * (0.5 + 0.5 * jitter);
  }

  #expire(cause: LicetError): SessionEvent {
    this.needsDisconnect = false;
    return this.#lose(
      new SessionLostError(
        "The seat was lost: the license server could not be reached for " +
          `${Math.round(this.grant.timeout)} seconds.`,
        { httpStatus: 0, cause, hint: `${cause.message} ${cause.hint}`.trim() },
      ),
    );
  }

  #lose(error: LicetError): SessionEvent {
    if (!this.alive) return null;
    this.alive = false;
    this.call = "connect";
    this.#failures = 0;
    return { lost: error };
  }
}

function beforeInterval(interval: number, jitter: number): number {
  return interval * (EARLIEST_FRACTION + (1 - EARLIEST_FRACTION) * jitter);
}

function afterInterval(interval: number, jitter: number): number {
  return interval * (1 + (1 - EARLIEST_FRACTION) * jitter);
}

function requestedDelay(error: LicetError): number {
  const delay = error instanceof ServerFaultError ? error.retryAfter : null;
  return Math.min(delay ?? 0, MAX_RETRY_AFTER);
}
