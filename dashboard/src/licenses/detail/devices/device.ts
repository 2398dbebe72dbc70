import type { Schemas } from "../../../api/types";

export type Device = Schemas["ActivationView"];
export type DeviceStatus = Schemas["ActivationStatus"];

export const nameOf = (device: { deviceName: string | null }): string =>
  device.deviceName ?? "Unnamed device";
