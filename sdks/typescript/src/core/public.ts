/** The names that both entries of the package export. */

export type { ActivateOptions, Activation } from "./activation.js";
export type { Progress } from "./chunks.js";
export type { DeviceIdentity } from "./deviceKey.js";
export * from "./errors.js";
export { fetchTransport } from "./fetch.js";
export type { Balance, ConsumeOptions, Consumption } from "./metering.js";
export { OpenLicense, type OpenOptions } from "./openLicense.js";
export type { ClientOptions, SeatMode } from "./options.js";
export * from "./partErrors.js";
export * from "./refusals.js";
export {
  type EntitlementValue,
  type License,
  type LicenseModel,
  LicenseResult,
  type LicenseSeat,
  type OrNewer,
  type SeatKind,
} from "./result.js";
export { Seat } from "./seat.js";
export { Session, type SessionOptions } from "./session.js";
export type { LicenseStatus } from "./status.js";
export type { Transport, TransportReply, TransportRequest } from "./transport.js";
export type { NewerRelease, Update, UpdateFile, UpdateOptions } from "./updates.js";
export { VERSION } from "./version.js";
export { Watch, type WatchOptions } from "./watch.js";
