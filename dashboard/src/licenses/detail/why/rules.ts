import { t } from "@lingui/core/macro";
import type { Schemas } from "../../../api/types";
import { words } from "../../../ui/labels";

/** The rules of validation by their names in the API, as what is so if they are passed. */
const RULES: Partial<Record<string, string>> = {
  LicenseExists: t`License exists`,
  Credentials: t`Credentials`,
  NotRevoked: t`Not revoked`,
  NotSuspended: t`Not suspended`,
  NotExpired: t`Not expired`,
  ReleaseAllowed: t`Release allowed`,
  HardwareIdGiven: t`Hardware ID given`,
  DeviceNotBlocked: t`Device not blocked`,
  MachineBound: t`Machine bound`,
  Seat: t`Seat`,
};

/** What each result means to the vendor, and what they can do; applications get the sentences of the server. */
export const VERDICTS: Record<Schemas["Explanation"]["status"], string> = {
  Valid: t`The license is valid.`,
  LicenseNotFound: t`The product has no license with this key.`,
  CredentialsRequired: t`The application has to send the username and password of the license.`,
  CredentialsInvalid: t`The username or password is wrong.`,
  Revoked: t`The license was revoked. Restore it within 24 hours, or issue a new one.`,
  Suspended: t`The license is suspended. Reinstate it to make it valid again.`,
  Expired: t`The license has expired. Extend it to make it valid again.`,
  ReleaseNotAllowed: t`The license does not cover this version of the application. To cover it, choose a newer release for the license.`,
  HardwareIdRequired: t`The application has to send the hardware ID of its machine.`,
  DeviceBlocked: t`The device is blocked. Unblock it to let it use the license.`,
  HardwareMismatch: t`The license is bound to another machine. Deactivate that machine to allow this one.`,
  PendingApproval: t`The machine is waiting for your approval.`,
  ActivationRequired: t`The device holds no seat. The application has to activate it first.`,
};

/** A newer server may know more rules than this page. */
export const ruleWords = (rule: string): string => RULES[rule] ?? words(rule);
