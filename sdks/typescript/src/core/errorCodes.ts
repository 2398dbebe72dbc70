/** The server's error codes and the errors to throw for them. */

import { english } from "../sentences/filledEnglish.js";
import { word } from "../sentences/words.js";
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

const HINTS: Readonly<Record<string, string>> = {
  EnrollmentKeyInvalid:
    "Check LICET_ENROLLMENT_KEY or EnrollmentKey. Whoever manages the license makes enrollment keys, " +
    "and sees until when each is valid, for how many devices and from which networks.",
  IdempotencyKeyReused:
    "The key was used for another feature or quantity. Use a new key for a new charge.",
  ConcurrencyConflict: "Try again with the same idempotency key.",
  NotMeteredLicense: "Charge only MeteredToken and MeteredCount licenses.",
  PricingNotConfigured: "Check the name of the feature; the product's page has its price.",
};

type Refusal = new (message: string, details: FaultDetails) => RequestRefusedError;

const CODES: Readonly<Record<string, Refusal>> = {
  LicenseNotFound: LicenseRefusedError,
  LicenseInvalid: LicenseRefusedError,
  LicenseExpired: LicenseRefusedError,
  InvalidCredentials: LicenseRefusedError,
  EnrollmentKeyInvalid: EnrollmentKeyInvalidError,
  MaxActivationsReached: SeatsExhaustedError,
  MaxConcurrentSessionsReached: SeatsExhaustedError,
  ActivationRequired: ActivationRequiredError,
  PendingApproval: ApprovalPendingError,
  DeviceBlocked: DeviceBlockedError,
  DeviceProofRequired: DeviceProofRequiredError,
  HardwareMismatch: HardwareMismatchError,
  HardwareIdNotAccepted: LicenseRefusedError,
  TrialAlreadyUsed: LicenseRefusedError,
  LeaseLimitReached: LeaseRefusedError,
  LeaseNotFound: LeaseRefusedError,
  LeaseForked: LeaseRefusedError,
  SessionNotFound: SessionLostError,
  InsufficientBalance: InsufficientBalanceError,
  FeatureNotEntitled: FeatureNotEntitledError,
  PricingNotConfigured: PricingNotConfiguredError,
  NotMeteredLicense: NotMeteredError,
  WalletNotFound: WalletNotFoundError,
  IdempotencyKeyReused: IdempotencyKeyReusedError,
  ConcurrencyConflict: ConcurrencyConflictError,
};

/** The error for a code; `RequestRefusedError` if the code is not known. */
export function errorForCode(
  code: string,
  problem: Json,
  amounts: Amounts,
  said: string,
  details: FaultDetails,
): RequestRefusedError {
  const kind = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  const [used, total] = [
    optionalInteger(problem["seatsUsed"]),
    optionalInteger(problem["seatsTotal"]),
  ];
  const [cost, balance] = [amounts("cost"), amounts("balance")];
  const message = english(kind ? code : "RequestRefused", {
    seatsUsed: used,
    seatsTotal: total,
    cost,
    balance,
    errorCode: word(code),
  });
  const hint = kind ? HINTS[code] : `The server's error code is ${code}.`;
  const error = new (kind ?? RequestRefusedError)(said || message, { ...details, hint });
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
