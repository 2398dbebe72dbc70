import { t } from "@lingui/core/macro";
import type { Schemas } from "../../../api/types";

type Status = Schemas["Explanation"]["status"];

/** What each result means to the vendor, and what they can do; applications get the sentences of the server. */
export const VERDICTS: Record<Status, string> = {
  Valid: t`The license is valid.`,
  LicenseNotFound: t`The product has no license with this key.`,
  CredentialsRequired: t`The application has to send the username and password of the license.`,
  CredentialsInvalid: t`The username or password is wrong.`,
  Revoked: t`The license was revoked. It can be restored within 24 hours; after that, only a new one helps.`,
  Suspended: t`The license is suspended. It is valid again once it is reinstated.`,
  Expired: t`The license has expired. It is valid again once it is extended.`,
  ReleaseNotAllowed: t`The license does not cover this version of the application. To cover it, choose a newer release for the license.`,
  HardwareIdRequired: t`The application has to send the hardware ID of its device.`,
  HardwareIdNotAccepted: t`The product does not accept hardware IDs of this kind. Its settings say which it accepts.`,
  TrialAlreadyUsed: t`The device had another trial of the product. The settings of the product allow each device one.`,
  DeviceProofRequired: t`The application has to prove the key of its device. Older SDKs cannot.`,
  DeviceBlocked: t`The device is blocked. Unblock it to let it use the license.`,
  HardwareMismatch: t`The license is bound to another device. Deactivate that device to allow this one.`,
  PendingApproval: t`The device is waiting for your approval.`,
  ActivationRequired: t`The device holds no seat. The application has to activate it first.`,
};

/** What happened to a request that got no verdict, by the code of its response. */
const OUTCOMES: Partial<Record<string, string>> = {
  Accepted: t`The request was accepted.`,
  LicenseInvalid: t`The license was revoked or suspended.`,
  LicenseExpired: t`The license had expired.`,
  InvalidCredentials: t`The username or password was wrong.`,
  MaxActivationsReached: t`All seats were taken, so the device got none.`,
  MaxConcurrentSessionsReached: t`All seats were in use, so no session started.`,
  ActivationNotFound: t`The device was not activated.`,
  SessionNotFound: t`The session had ended. The application has to connect again.`,
  InsufficientBalance: t`The balance was too low, so nothing was charged.`,
  FeatureNotEntitled: t`The license does not include the feature.`,
  NotMeteredLicense: t`The license has no balance to charge.`,
  InvalidRequest: t`The application left something out or sent an invalid value.`,
  RateLimited: t`The application sent too many requests.`,
  Unavailable: t`The service could not respond. The application may try again.`,
};

/** A sentence about the status of a request; a newer server may know more of them than this page. */
export const outcomeOf = (status: string): string | undefined =>
  (VERDICTS as Partial<Record<string, string>>)[status] ?? OUTCOMES[status];

const WAITING = new Set(["PendingApproval", "Suspended", "RateLimited", "Unavailable"]);

/** Whether a status is good news. */
export const toneOf = (status: string) => {
  if (status === "Valid" || status === "Accepted") return "good";
  return WAITING.has(status) ? "wait" : "bad";
};
