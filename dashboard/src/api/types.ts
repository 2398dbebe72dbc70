import type { components } from "./schema";

type Schemas = components["schemas"];

export type License = Schemas["LicenseView"];
export type LicenseType = Schemas["LicenseType"];
export type LicenseStatus = Schemas["LicenseStatus"];
export type Product = Schemas["ProductView"];
export type Institution = Schemas["InstitutionView"];
export type Profile = Schemas["ProfileView"];
export type Membership = Schemas["MembershipView"];
export type Role = Schemas["Role"];
export type Webhook = Schemas["WebhookView"];
export type ApiKey = Schemas["ApiKeyView"];
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
