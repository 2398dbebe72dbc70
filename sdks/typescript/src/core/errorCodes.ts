/** The server's error codes: the error to throw and its message. */

import type { Amounts } from "./amounts.js";
import { optionalInteger } from "./claims.js";
import type { FaultDetails } from "./errors.js";
import type { Json } from "./json.js";
import { EnrollmentKeyInvalidError, LeaseRefusedError } from "./partErrors.js";
import {
  ActivationRequiredError,
  ApprovalPendingError,
  ConcurrencyConflictError,
  DeviceBlockedError,
  DeviceProofRequiredError,
  FeatureNotEntitledError,
  HardwareMismatchError,
  IdempotencyKeyReusedError,
  InsufficientBalanceError,
  LicenseRefusedError,
  NotMeteredError,
  PricingNotConfiguredError,
  RequestRefusedError,
  SeatsExhaustedError,
  SessionLostError,
  WalletNotFoundError,
} from "./refusals.js";

const ENROLLMENT_HINT =
  "Check LICET_ENROLLMENT_KEY or EnrollmentKey. Whoever manages the license makes enrollment keys, " +
  "and sees until when each is valid, for how many devices and from which networks.";

type Refusal = new (message: string, details: FaultDetails) => RequestRefusedError;

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
  EnrollmentKeyInvalid: [
    EnrollmentKeyInvalidError,
    "The enrollment key of this installation is not accepted. Ask your administrator.",
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
    ActivationRequiredError,
    "This device does not hold a seat of the license. Activate it first.",
  ],
  PendingApproval: [
    ApprovalPendingError,
    "The vendor has not approved this device yet. Try again once it is approved.",
  ],
  DeviceBlocked: [
    DeviceBlockedError,
    "The vendor has blocked this device. Ask the vendor to unblock it.",
  ],
  DeviceProofRequired: [
    DeviceProofRequiredError,
    "This device could not prove that it is the one with the license: its key is missing, or " +
      "another. Restore the application's data folder, or ask the vendor to free the device.",
  ],
  HardwareMismatch: [
    HardwareMismatchError,
    "The license is bound to another device. Ask the vendor to move it to this one.",
  ],
  HardwareIdNotAccepted: [
    LicenseRefusedError,
    "The vendor does not accept the hardware ID of this device, such as that of a CI project or a " +
      "host name. Use another device, or ask the vendor.",
  ],
  TrialAlreadyUsed: [
    LicenseRefusedError,
    "This device has already used another trial of the product. Buy a license, or ask the " +
      "vendor to extend the first trial.",
  ],
  LeaseLimitReached: [
    LeaseRefusedError,
    "Nothing can be borrowed or reserved now: the license does not lend so long or so much, or " +
      "enough of it is away. Ask the vendor.",
  ],
  LeaseNotFound: [
    LeaseRefusedError,
    "This device has no borrowed seat or reserved credits that could be renewed, reported or " +
      "returned. Borrow or reserve again.",
  ],
  LeaseForked: [
    LeaseRefusedError,
    "What this device has borrowed or reserved was also used from a copy of its data folder, or " +
      "the folder was put back. Ask the vendor to allow this device again.",
  ],
  SessionNotFound: [SessionLostError, "The server has ended this session. Open a new one."],
  InsufficientBalance: [
    InsufficientBalanceError,
    "The license's balance does not cover this charge{amounts}. Ask the vendor to add to it.",
  ],
  FeatureNotEntitled: [
    FeatureNotEntitledError,
    "The license does not include this feature. Ask the vendor for a license that does.",
  ],
  PricingNotConfigured: [
    PricingNotConfiguredError,
    "This feature has no price. Check the feature's name, or ask the vendor to set a price.",
  ],
  NotMeteredLicense: [
    NotMeteredError,
    "The license is not metered. Charge only MeteredToken and MeteredCount licenses.",
  ],
  WalletNotFound: [
    WalletNotFoundError,
    "The server has no wallet for this metered license. Contact the vendor.",
  ],
  IdempotencyKeyReused: [
    IdempotencyKeyReusedError,
    "This idempotency key was already used for another feature or quantity. Use a new key for a " +
      "new charge.",
  ],
  ConcurrencyConflict: [
    ConcurrencyConflictError,
    "The license was charged concurrently. Try again with the same idempotency key.",
  ],
};

/** The error for a code; `RequestRefusedError` if the code is not known. */
export function errorForCode(
  code: string,
  problem: Json,
  amounts: Amounts,
  said: string,
  details: FaultDetails,
): RequestRefusedError {
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
  const unknown = Object.hasOwn(CODES, code) ? "" : `The server's error code is ${code}.`;
  const hint = code === "EnrollmentKeyInvalid" ? ENROLLMENT_HINT : unknown;
  const error = new kind(said || message, { ...details, hint });
  if (error instanceof SeatsExhaustedError) {
    Object.assign(error, {
      seatsUsed: used,
      seatsTotal: total,
      canRelease: problem["canRelease"] === true,
    });
  }
  const { endReason } = problem;
  if (error instanceof SessionLostError && typeof endReason === "string") {
    error.endReason = endReason;
  }
  if (error instanceof InsufficientBalanceError) {
    Object.assign(error, { cost, balance, replayed: problem["replayed"] === true });
  }
  return error;
}
