/** The server's error codes: the error to throw and its message. */

import { optionalInteger } from "./claims.js";
import * as errors from "./errors.js";
import type { Json } from "./jose.js";
import type { Amounts } from "./json.js";
import type { LicenseResult } from "./result.js";

type Refusal = new (message: string, details: errors.FaultDetails) => errors.RequestRefusedError;

const { LicenseRefusedError, SeatsExhaustedError, RequestRefusedError } = errors;

const CODES: Readonly<Record<string, readonly [Refusal, string]>> = {
  LicenseNotFound: [
    LicenseRefusedError,
    "The license key was not found for this product. Check the key for typing errors.",
  ],
  LicenseInvalid: [
    LicenseRefusedError,
    "The license is revoked, suspended or, for charges, expired. Contact the vendor.",
  ],
  LicenseExpired: [LicenseRefusedError, "The license has expired. Renew it with the vendor."],
  InvalidCredentials: [
    LicenseRefusedError,
    "The user name or password is wrong. Check both and try again.",
  ],
  MaxActivationsReached: [
    SeatsExhaustedError,
    "All seats of the license are taken{seats}. Deactivate a device that no longer needs its " +
      "seat, or ask the vendor for more seats.",
  ],
  MaxConcurrentSessionsReached: [
    SeatsExhaustedError,
    "All seats of the license are in use{seats}. Close the application on another device, or " +
      "ask the vendor for more seats.",
  ],
  ActivationRequired: [
    errors.ActivationRequiredError,
    "This device does not hold a seat of the license. Activate it first.",
  ],
  PendingApproval: [
    errors.ApprovalPendingError,
    "The vendor has not approved this device yet. Try again once it is approved.",
  ],
  DeviceBlocked: [
    errors.DeviceBlockedError,
    "The vendor has blocked this device. Ask the vendor to unblock it.",
  ],
  HardwareMismatch: [
    errors.HardwareMismatchError,
    "The license is bound to another device. Ask the vendor to move it to this one.",
  ],
  SessionNotFound: [errors.SessionLostError, "The server has ended this session. Open a new one."],
  InsufficientBalance: [
    errors.InsufficientBalanceError,
    "The license's balance does not cover this charge{amounts}. Ask the vendor to add to it.",
  ],
  FeatureNotEntitled: [
    errors.FeatureNotEntitledError,
    "The license does not include this feature. Ask the vendor for a license that does.",
  ],
  PricingNotConfigured: [
    errors.PricingNotConfiguredError,
    "This feature has no price. Check the feature's name, or ask the vendor to set a price.",
  ],
  NotMeteredLicense: [
    errors.NotMeteredError,
    "The license is not metered. Charge only MeteredToken and MeteredCount licenses.",
  ],
  WalletNotFound: [
    errors.WalletNotFoundError,
    "The server has no wallet for this metered license. Contact the vendor.",
  ],
  IdempotencyKeyReused: [
    errors.IdempotencyKeyReusedError,
    "This idempotency key was already used for another feature or quantity. Use a new key for a " +
      "new charge.",
  ],
  ConcurrencyConflict: [
    errors.ConcurrencyConflictError,
    "The license was charged concurrently. Try again with the same idempotency key.",
  ],
};

/** The error for a code; `RequestRefusedError` if the code is not known. */
export function errorForCode(
  code: string,
  problem: Json,
  amounts: Amounts,
  suffix: string,
  details: errors.FaultDetails,
): errors.RequestRefusedError {
  const [kind, template] = (Object.hasOwn(CODES, code) ? CODES[code] : undefined) ?? [
    RequestRefusedError,
    `The license server refused the request (${code}).`,
  ];
  const [used, total] = [
    optionalInteger(problem["seatsUsed"]),
    optionalInteger(problem["seatsTotal"]),
  ];
  const [cost, balance] = [amounts("cost"), amounts("balance")];
  const message = template
    .replace("{seats}", used !== null && total !== null ? ` (${used} of ${total})` : "")
    .replace("{amounts}", cost && balance ? ` (${cost} needed, ${balance} left)` : "");
  const error = new kind(message + suffix, details);
  if (error instanceof SeatsExhaustedError) {
    Object.assign(error, { seatsUsed: used, seatsTotal: total });
  }
  if (error instanceof errors.InsufficientBalanceError) {
    Object.assign(error, { cost, balance, replayed: problem["replayed"] === true });
  }
  return error;
}

const STATUS_ERRORS: Readonly<Record<string, Refusal>> = {
  ActivationRequired: errors.ActivationRequiredError,
  DeviceBlocked: errors.DeviceBlockedError,
  HardwareMismatch: errors.HardwareMismatchError,
  PendingApproval: errors.ApprovalPendingError,
};

/** The error for a result that is not valid, with its message and cause. */
export function errorForResult(result: LicenseResult): errors.RequestRefusedError {
  const kind = STATUS_ERRORS[result.status] ?? LicenseRefusedError;
  const error = new kind(result.message, {
    httpStatus: result.source === "server" ? 200 : 0,
    errorCode: result.status,
    requestId: result.requestId,
    cause: result.cause ?? undefined,
  });
  error.result = result;
  return error;
}

/** The error for a device that the server has registered but the vendor has not approved. */
export function approvalPending(): errors.ApprovalPendingError {
  const details = { httpStatus: 202, errorCode: "PendingApproval" };
  return new errors.ApprovalPendingError(CODES["PendingApproval"]?.[1] ?? "", details);
}
