/** The errors for requests that the server refuses, and for licenses that need its answer. */

import { NetworkError, ServerFaultError } from "./errors.js";
import type { LicenseResult } from "./result.js";

/** The license has to be checked with the server, which could not be asked. `cause` says why. */
export class OnlineRequiredError extends NetworkError {
  static override readonly code = "OnlineRequired";

  constructor(readonly result: LicenseResult) {
    super(result.message, { cause: result.cause ?? undefined, hint: result.cause?.hint });
  }
}

/** The server refused the request; see `errorCode`. */
export class RequestRefusedError extends ServerFaultError {
  static override readonly code: string = "RequestRefused";
  /** From `open()`: the result of the validation. */
  result: LicenseResult | null = null;
}
/** The license may not be used. */
export class LicenseRefusedError extends RequestRefusedError {
  static override readonly code = "LicenseRefused";
}
/** All seats of the license are taken. */
export class SeatsExhaustedError extends RequestRefusedError {
  static override readonly code = "SeatsExhausted";
  seatsUsed: number | null = null;
  seatsTotal: number | null = null;
  /** Whether the user may free the seat of another device now: `devices()`, `releaseDevice()`. */
  canRelease = false;
}
/** The license requires activated devices, and this device is not activated. */
export class ActivationRequiredError extends RequestRefusedError {
  static override readonly code = "ActivationRequired";
}
/** The vendor has not approved this device yet. */
export class ApprovalPendingError extends RequestRefusedError {
  static override readonly code = "ApprovalPending";
}
/** The vendor has blocked this device. */
export class DeviceBlockedError extends RequestRefusedError {
  static override readonly code = "DeviceBlocked";
}
/** The license needs a proof of the device's key, and the server has not accepted this device's. */
export class DeviceProofRequiredError extends RequestRefusedError {
  static override readonly code = "DeviceProofRequired";
}
/** The license is bound to another device. */
export class HardwareMismatchError extends RequestRefusedError {
  static override readonly code = "HardwareMismatch";
}
/** The session no longer holds a seat. `httpStatus` is 0 if no heartbeat arrived in time. */
export class SessionLostError extends RequestRefusedError {
  static override readonly code = "SessionLost";
  /** `Replaced` if another copy has connected with the session's instance ID. */
  endReason: string | null = null;
}
/** The balance does not cover the charge; nothing was charged. */
export class InsufficientBalanceError extends RequestRefusedError {
  static override readonly code = "InsufficientBalance";
  cost: string | null = null;
  balance: string | null = null;
  /** Whether this is the stored response to an earlier attempt with the same key. */
  replayed = false;
}
/** The license does not grant the feature. */
export class FeatureNotEntitledError extends RequestRefusedError {
  static override readonly code = "FeatureNotEntitled";
}
/** The feature is unknown or has no price. */
export class PricingNotConfiguredError extends RequestRefusedError {
  static override readonly code = "PricingNotConfigured";
}
/** The license is neither MeteredToken nor MeteredCount. */
export class NotMeteredError extends RequestRefusedError {
  static override readonly code = "NotMetered";
}
/** The license is metered, but has no wallet on the server. */
export class WalletNotFoundError extends RequestRefusedError {
  static override readonly code = "WalletNotFound";
}
/** The idempotency key was already used for another feature or quantity. */
export class IdempotencyKeyReusedError extends RequestRefusedError {
  static override readonly code = "IdempotencyKeyReused";
}
/** The license was charged concurrently. Already retried. */
export class ConcurrencyConflictError extends RequestRefusedError {
  static override readonly code = "ConcurrencyConflict";
}
/** The vendor has withdrawn the release or the file. */
export class DownloadWithdrawnError extends RequestRefusedError {
  static override readonly code = "DownloadWithdrawn";
}
