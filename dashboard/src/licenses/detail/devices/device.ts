import { t } from "@lingui/core/macro";
import type { Schemas } from "../../../api/types";

export type Device = Schemas["Activation"];
export type DeviceStatus = Schemas["ActivationStatus"];

/** When the license file of the device ends; null if it has none, or if that has ended. */
export const fileEndOf = ({ fileEndsAt }: Pick<Device, "fileEndsAt">): string | null =>
  fileEndsAt !== null && Date.parse(fileEndsAt) > Date.now() ? fileEndsAt : null;

export const nameOf = (device: { deviceName: string | null }): string =>
  device.deviceName ?? t`Unnamed device`;
