import { StatusChip } from "../StatusChip";
import type { Device } from "./deviceActions";

/** The status of a device; one that has its seat works no more than its license does. */
export const DeviceStatus = ({ device: { status, licenseStatus } }: { device: Device }) =>
  status === "Active" && licenseStatus !== "Active" ? (
    <StatusChip status={licenseStatus} tone="over" />
  ) : (
    <StatusChip status={status} />
  );
