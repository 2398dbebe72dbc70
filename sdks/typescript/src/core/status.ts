/** The statuses of a validation and their messages. */

/** Only `Valid` and `GracePeriod` let the application run. */
export type LicenseStatus =
  | ServerStatus
  | "GracePeriod"
  | "TestLicense"
  | "SignatureMismatch"
  | "OnlineRequired"
  | "RefreshRequired"
  | "ClockTampered"
  | "Unknown";

/**
 * The statuses that a server may send. The others are decided on this machine, so a signed verdict
 * with one of them, for example GracePeriod, is Unknown.
 */
export type ServerStatus = Exclude<keyof typeof MESSAGES, "TestLicense">;

export const MESSAGES = {
  Valid: "The license is valid.",
  LicenseNotFound:
    "The license key was not found for this product. Check the key for typing errors.",
  Expired: "The license has expired. Renew it with the vendor.",
  Revoked: "The vendor has revoked the license. Contact the vendor.",
  Suspended: "The license is suspended. Contact the vendor to reinstate it.",
  HardwareIdRequired: "The license is for one machine, and the request contained no hardware ID.",
  HardwareMismatch:
    "The license is bound to another machine. Ask the vendor to move it to this one.",
  HardwareIdNotAccepted:
    "The vendor does not accept the hardware ID of this machine, such as that of a CI project " +
    "or a host name. Use another machine, or ask the vendor.",
  PendingApproval: "The vendor has not approved this machine yet. Try again once it is approved.",
  DeviceBlocked: "The vendor has blocked this machine. Ask the vendor to unblock it.",
  DeviceProofRequired:
    "This machine could not prove that it is the one with the license: its key is missing, or " +
    "another. Restore the application's data folder, or ask the vendor to free the device.",
  CredentialsRequired: "The license requires a user name and a password. Enter both.",
  CredentialsInvalid: "The user name or password is wrong. Check both and try again.",
  ActivationRequired: "This machine does not hold a seat of the license. Activate it first.",
  ReleaseNotAllowed:
    "The license does not cover this version of the application. " +
    "Upgrade the license or install an earlier version.",
  TrialAlreadyUsed:
    "This machine has already used another trial of the product. Buy a license, or ask the " +
    "vendor to extend the first trial.",
  TestLicense: "The license is only for tests. Contact the vendor.",
} as const;

export function isServerStatus(text: string): text is ServerStatus {
  return Object.hasOwn(MESSAGES, text) && text !== "TestLicense";
}

/** Whether the application may run with this status. */
export function runs(status: LicenseStatus): boolean {
  return status === "Valid" || status === "GracePeriod";
}

/** The status and the message of a refusal by the server. */
export function refusalFinding(serverStatus: string): [LicenseStatus, string] {
  if (isServerStatus(serverStatus) && serverStatus !== "Valid") {
    return [serverStatus, MESSAGES[serverStatus]];
  }
  return ["Unknown", unknownStatusMessage(serverStatus)];
}

/** The message for a status that this version does not know. */
export function unknownStatusMessage(serverStatus: string): string {
  const printable = isPrintable(serverStatus) ? serverStatus.slice(0, 40) : "?";
  return (
    `The license has the status "${printable}", which this version of the application does ` +
    "not know. Update the application or contact the vendor."
  );
}

export function isPrintable(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
