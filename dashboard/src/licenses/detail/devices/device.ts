import type { Schemas } from "../../../api/types";

export type Device = Schemas["Activation"];
export type DeviceStatus = Schemas["ActivationStatus"];

export const nameOf = (device: { deviceName: string | null }): string =>
  device.deviceName ?? "Unnamed device";
