import type { Schemas } from "../../api/types";

/** Why a session ended. */
export const END_WORDS: Record<Schemas["EndReason"], string> = {
  Disconnected: "The application disconnected",
  ForceDisconnected: "Disconnected by an operator",
  TimedOut: "Heartbeats stopped",
  Replaced: "The application reconnected",
  DeviceBlocked: "The device was blocked",
  Deactivated: "The device was deactivated",
  LicenseRevoked: "The license was revoked",
  LicenseExpired: "The license expired",
  LicenseDeleted: "The license was deleted",
};
