import { t } from "@lingui/core/macro";
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

/** A newer server may know more rules than this page. */
export const ruleWords = (rule: string): string => RULES[rule] ?? words(rule);
