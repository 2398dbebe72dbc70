import { date, number } from "../../../ui/formats";
import { words } from "../../../ui/labels";
import type { LicenseEvent } from "./sentences";

/** Of these the new value says nothing to people, or the sentence says it. */
const BARE: readonly string[] = ["metadata", "entitlementSetId", "softwareReleaseId"];
const TOLD: readonly string[] = ["revokedAt", "suspendedAt"];

const NAMES: Record<string, string> = {
  entitlementSetId: "Entitlement set",
  maxActiveUsersCount: "Seats",
  softwareReleaseId: "Release",
  expirationDate: "End",
  licenseName: "Name",
};

function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "number") return number(value);
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? date(value) : value;
}

/** A reason, and what was before and what is now, as far as the caller is told. */
export function detailsOf({ type, data, changes }: LicenseEvent): string {
  const parts: string[] = [];
  const isOfPerson = type.startsWith("license.") || type.startsWith("meter.");
  if (isOfPerson && typeof data["reason"] === "string") parts.push(data["reason"]);
  if (typeof data["externalReference"] === "string") parts.push(data["externalReference"]);
  if (changes && type !== "license.created")
    for (const [field, change] of Object.entries(changes)) {
      if (TOLD.includes(field)) continue;
      const name = NAMES[field] ?? words(field);
      const [before, after] = change as [unknown, unknown];
      parts.push(
        BARE.includes(field)
          ? `${name} changed`
          : `${name}: ${valueOf(before)} → ${valueOf(after)}`,
      );
    }
  return parts.join(" · ");
}
