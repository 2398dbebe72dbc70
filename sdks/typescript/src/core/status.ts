/** The statuses of a validation and their messages. */

import { word } from "../sentences/words.js";
import { MESSAGES, sayUnknown } from "./startSentences.js";

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
  return ["Unknown", sayUnknown(word(serverStatus))];
}
