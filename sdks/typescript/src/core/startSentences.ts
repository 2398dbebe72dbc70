/** English sentences that a start may need. Written by sdks/sentences.py from sdks/sentences.json. */

export const MESSAGES = {
  Valid: "The license is valid.",
  LicenseNotFound: "The license key was not found for this product. Check the key for typing errors.",
  Expired: "The license expired. Renew it with the vendor.",
  Revoked: "The vendor has revoked the license. Contact the vendor.",
  Suspended: "The license is suspended. Contact the vendor to reinstate it.",
  HardwareIdRequired: "The license is for one device, and does not name this one. Connect to the license server once, or ask the vendor for a license file for this device.",
  HardwareMismatch: "The license is bound to another device. Ask the vendor to move it to this one.",
  HardwareIdNotAccepted: "The vendor does not accept devices of this kind for the license. Use another device, or ask the vendor.",
  DeviceProofRequired: "This device could not prove that it is the one with the license: its key is missing, or another. Restore the application's data folder, or ask the vendor to free the device.",
  PendingApproval: "The vendor has not approved this device yet. Try again once it is approved.",
  DeviceBlocked: "The vendor has blocked this device. Ask the vendor to unblock it.",
  CredentialsRequired: "The license requires a user name and a password. Enter both.",
  CredentialsInvalid: "The user name or password is wrong. Check both and try again.",
  ActivationRequired: "This device does not hold a seat of the license. Activate it first.",
  ReleaseNotAllowed: "The license does not cover this version of the application. Upgrade the license or install an earlier version.",
  TrialAlreadyUsed: "This device has already used another trial of the product. Buy a license, or ask the vendor to extend the first trial.",
  TestLicense: "The license is only for tests. Contact the vendor.",
} as const;

export const NETWORK = "The license server cannot be reached. Check your internet connection.";

export const sayExpired = (endsAt: string): string =>
  `The license expired on ${endsAt}. Renew it with the vendor.`;

export const sayGracePeriod = (graceEndsAt: string): string =>
  `The license was not checked with the license server, and stays valid until ${graceEndsAt}. Connect to the license server.`;

export const sayRefreshRequired = (refreshBy: string): string =>
  `The license file had to be refreshed by ${refreshBy}. Connect to the license server, or install a new license file.`;

export const sayUnknown = (status: string): string =>
  `The license has a status (${status}) that this version of the application does not know. Update the application or contact the vendor.`;
