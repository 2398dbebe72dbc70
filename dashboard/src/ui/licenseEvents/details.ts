import { t } from "@lingui/core/macro";
import { fieldWords } from "../fields";
import { date, number } from "../formats";
import type { LicenseEvent } from "./sentences";

/** Fields whose values are not readable: only say that they changed. */
const HIDDEN_VALUES: readonly string[] = ["metadata", "entitlementSetId", "softwareReleaseId"];
const REDUNDANT_FIELDS: readonly string[] = ["revokedAt", "suspendedAt"];

const NAMES: Record<string, string> = {
  entitlementSetId: t`Entitlement set`,
  maxActiveUsersCount: t`Max active users`,
  softwareReleaseId: t`Release`,
  expirationDate: t`Expiration date`,
  licenseName: t`Name`,
};

function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return t`none`;
  if (typeof value === "number") return number(value);
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? date(value) : value;
}

/** The reason and the changed fields of an event, as far as the user may see them. */
export function detailsOf({ type, data, changes }: LicenseEvent): string {
  const parts: string[] = [];
  const isOfPerson = type.startsWith("license.") || type.startsWith("meter.");
  if (isOfPerson && typeof data["reason"] === "string") parts.push(data["reason"]);
  if (typeof data["externalReference"] === "string") parts.push(data["externalReference"]);
  if (changes && !type.endsWith(".created"))
    for (const [field, change] of Object.entries(changes)) {
      if (REDUNDANT_FIELDS.includes(field)) continue;
      const name = NAMES[field] ?? fieldWords(field);
      const [before, after] = change as [unknown, unknown];
      parts.push(
        HIDDEN_VALUES.includes(field)
          ? t`${name} changed`
          : `${name}: ${valueOf(before)} → ${valueOf(after)}`,
      );
    }
  return parts.join(" · ");
}
