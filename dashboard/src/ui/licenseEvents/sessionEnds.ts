import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

type EndReason = Schemas["EndReason"];

/** Why a session ended. */
export const END_WORDS: Record<EndReason, string> = {
  Disconnected: t`The application disconnected`,
  ForceDisconnected: t`Disconnected by an operator`,
  TimedOut: t`Heartbeats stopped`,
  Replaced: t`The application reconnected`,
  DeviceBlocked: t`The device was blocked`,
  Deactivated: t`The device was deactivated`,
  LicenseRevoked: t`The license was revoked`,
  LicenseExpired: t`The license expired`,
  LicenseDeleted: t`The license was deleted`,
};

/** That the session on a device ended, and why. */
export const END_SENTENCES: Record<EndReason, (device: string) => string> = {
  Disconnected: (device) => t`Session on ${device} ended: the application disconnected`,
  ForceDisconnected: (device) => t`Session on ${device} ended: disconnected by an operator`,
  TimedOut: (device) => t`Session on ${device} ended: heartbeats stopped`,
  Replaced: (device) => t`Session on ${device} ended: the application reconnected`,
  DeviceBlocked: (device) => t`Session on ${device} ended: the device was blocked`,
  Deactivated: (device) => t`Session on ${device} ended: the device was deactivated`,
  LicenseRevoked: (device) => t`Session on ${device} ended: the license was revoked`,
  LicenseExpired: (device) => t`Session on ${device} ended: the license expired`,
  LicenseDeleted: (device) => t`Session on ${device} ended: the license was deleted`,
};
