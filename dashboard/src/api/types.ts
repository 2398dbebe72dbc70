import type { components } from "./schema";

type Schemas = components["schemas"];

export type License = Schemas["License"];
export type LicenseType = Schemas["LicenseType"];
export type LicenseStatus = Schemas["LicenseStatus"];
export type Product = Schemas["Product"];
export type Institution = Schemas["Institution"];
export type Profile = Schemas["Profile"];
export type Membership = Schemas["Membership"];
export type Role = Schemas["Role"];
export type Webhook = Schemas["Webhook"];
export type ApiKey = Schemas["ApiKey"];
export type { Schemas };

export const LICENSE_TYPES = [
  "Perpetual",
  "Trial",
  "Subscription",
  "Floating",
  "Concurrent",
  "NodeLocked",
  "MeteredToken",
  "MeteredCount",
] as const satisfies readonly LicenseType[];

export const LICENSE_STATUSES = [
  "Active",
  "Expired",
  "Suspended",
  "Revoked",
] as const satisfies readonly LicenseStatus[];
