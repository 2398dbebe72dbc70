import { t } from "@lingui/core/macro";
import type { ErrorCode } from "./problem";

/**
 * A sentence for each code, for other languages than that of the server, which is more precise; null for those that only applications get, and no page.
 */
const sentences = (): Record<ErrorCode, string | null> => ({
  ActivationNotFound: t`This device no longer exists.`,
  ActivationRequired: null,
  ClockNotTrusted: t`The clock of the server is wrong. Its operator has to set it.`,
  ConcurrencyConflict: t`Somebody else changed this at the same time. Reload the page and try again.`,
  Conflict: t`This is not possible in the current state.`,
  DeviceBlocked: t`This device is blocked.`,
  DeviceProofRequired: null,
  EnrollmentKeyInvalid: null,
  FeatureNotEntitled: null,
  Forbidden: t`You are not allowed to do this.`,
  HardwareIdNotAccepted: t`This hardware ID is not accepted.`,
  HardwareMismatch: t`This license is bound to another device.`,
  IdempotencyKeyReused: t`This was already sent with other content. Reload the page and try again.`,
  InsufficientBalance: t`The balance is not sufficient.`,
  InternalError: t`Something failed in the server. Try again.`,
  InvalidCredentials: t`What you entered to sign in or to confirm is wrong or no longer valid.`,
  InvalidRequest: t`Something that you entered is not valid.`,
  KeysNotGenerated: t`The product has no keys yet.`,
  LeaseForked: null,
  LeaseLimitReached: t`No more seats can be borrowed.`,
  LeaseNotFound: t`This borrowed seat no longer exists.`,
  LicenseExpired: t`The license has expired.`,
  LicenseInvalid: t`The license is not active.`,
  LicenseNotFound: t`No license has this key.`,
  MaxActivationsReached: t`All devices that the license allows are in use.`,
  MaxConcurrentSessionsReached: t`All seats of the license are in use.`,
  MethodNotAllowed: null,
  NotFound: t`This does not exist, or you have no access to it.`,
  NotMeteredLicense: t`The license has no balance.`,
  OfflineActivationNotAllowed: t`The license does not allow offline activation.`,
  OfflineRequestOutdated: t`This request file is too old. Create a new one on the device.`,
  OtpRequired: t`Enter the code of your second factor.`,
  PayloadTooLarge: t`This is too large.`,
  PendingApproval: t`The device is waiting for approval.`,
  PlanLimitReached: t`The limit of the plan is reached.`,
  PricingNotConfigured: null,
  RangeNotSatisfiable: null,
  RateLimited: t`Too many requests. Wait a moment and try again.`,
  SessionNotFound: t`This session has already ended.`,
  SsoRequired: t`Your institution requires single sign-on.`,
  StepUpRequired: t`Confirm that it is you, then try again.`,
  TrialAlreadyUsed: t`This device has already used its trial.`,
  Unauthorized: t`You are no longer signed in.`,
  Unavailable: t`The service is busy or cannot be reached. Try again in a moment.`,
  UnsupportedMediaType: t`This kind of file is not accepted.`,
  WalletNotFound: t`The license has no balance.`,
});

/** What a refusal means; null for a code that no page is expected to get, or of a newer server. */
export const refusalOf = (code: ErrorCode): string | null =>
  (sentences() as Partial<Record<string, string | null>>)[code] ?? null;
