/** Retry policy: whether and when to retry a failed call. Pure decisions, no I/O. */

import {
  ConnectionLostError,
  DnsError,
  type LicetError,
  ServerFaultError,
  ServerRefusedError,
  ServerTimeoutError,
} from "./errors.js";

const FIRST_PAUSE = 0.5;
const MAX_PAUSE = 8;
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];
const TRANSIENT = [DnsError, ServerRefusedError, ConnectionLostError, ServerTimeoutError];

/** Whether an error is a connection error, 429, or 502 to 504, so a retry may succeed. */
export function isTransient(error: LicetError): boolean {
  if (error instanceof ServerFaultError) return TRANSIENT_STATUSES.includes(error.httpStatus);
  return TRANSIENT.some((kind) => error instanceof kind);
}

export interface RetryPolicy {
  /** The number of attempts, including the first. */
  readonly attempts: number;
  /** How often the timeout of a call fits into the whole call. */
  readonly budget: number;
  /** The longest pause before an attempt, in seconds. */
  readonly longestPause?: number;
  isRetryable(error: LicetError): boolean;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 3, budget: 1, isRetryable: isTransient };
export const NO_RETRIES: RetryPolicy = { ...DEFAULT_RETRIES, attempts: 1 };
/** Where nobody waits: each attempt may take the whole timeout. */
export const PATIENT_RETRIES: RetryPolicy = { ...DEFAULT_RETRIES, budget: 3 };
/** For a start that could do without the server: not where there is none to wait for. */
export const START_RETRIES: RetryPolicy = {
  ...PATIENT_RETRIES,
  longestPause: 1,
  isRetryable: (error) =>
    isTransient(error) &&
    (error instanceof ServerFaultError || error instanceof ConnectionLostError),
};

/**
 * Seconds to wait before the next attempt; `null` to give up.
 *
 * @param attempt The number of attempts so far.
 * @param secondsLeft What remains of the whole call's time.
 * @param spread 0 to 1, to spread the retries of many clients.
 */
export function pauseBefore(
  policy: RetryPolicy,
  error: LicetError,
  attempt: number,
  secondsLeft: number,
  spread: number,
): number | null {
  if (attempt >= policy.attempts || !policy.isRetryable(error)) return null;
  const backoff = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + spread / 2);
  const asked = error instanceof ServerFaultError ? error.retryAfter : null;
  const pause = asked === null ? backoff : asked + backoff / 4;
  return pause < secondsLeft && pause <= (policy.longestPause ?? pause) ? pause : null;
}
