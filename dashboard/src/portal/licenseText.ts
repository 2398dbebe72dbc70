import type { Schemas } from "../api/types";
import { entryText } from "../ui/featureValues";
import { date, number } from "../ui/formats";
import { MODEL_LABELS } from "../ui/labels";

type PortalLicense = Schemas["PortalLicense"];

/** The term of a license in words. */
export function termOf({ status, expirationDate, termDays, inGraceUntil }: PortalLicense): string {
  if (termDays !== null) return `${number(termDays)} days from the first use`;
  if (expirationDate === null) return "Does not expire";
  if (inGraceUntil !== null)
    return `Ended ${date(expirationDate)}, still valid until ${date(inGraceUntil)}`;
  return `${status === "Expired" ? "Expired" : "Expires"} ${date(expirationDate)}`;
}

/** Active users or balance left; null if the license has neither. */
export function amountOf(license: PortalLicense): string | null {
  const { seatsUsed, maxActiveUsersCount, meterBalance, meterMode } = license;
  if (meterBalance !== null)
    return `${number(meterBalance)} ${meterMode === "Token" ? "credits" : "uses"} left`;
  if (maxActiveUsersCount !== null)
    return `${number(seatsUsed ?? 0)} of ${number(maxActiveUsersCount)} in use`;
  return null;
}

/** One-line summary of a license. */
export const inShort = (license: PortalLicense): string =>
  [termOf(license), amountOf(license)].filter(Boolean).join(" · ");

/** What an end user can do about a license that is not active. */
export const ADVICE: Partial<Record<PortalLicense["status"], string>> = {
  Expired: "This license has expired. Ask the vendor to renew it. The license key stays the same.",
  Suspended: "The vendor has suspended this license. Contact them to find out why.",
  Revoked: "The vendor has permanently revoked this license.",
};

const featuresOf = ({ features, entitlements }: PortalLicense): string => {
  const entries = Object.entries(entitlements ?? {}).map(([name, value]) => entryText(name, value));
  return [...(features === null ? ["All"] : []), ...entries].join(", ") || "None";
};

/** The facts of a license, as label and text. */
export const factsOf = (license: PortalLicense): [string, string | null][] => [
  ["Model", MODEL_LABELS[license.type]],
  ["Term", termOf(license)],
  [license.meterMode ? "Balance" : "Max active users", amountOf(license) ?? "Unlimited"],
  ["Version", license.releaseVersion],
  ["Features", featuresOf(license)],
  ["Sold by", license.issuer ?? license.institutionName],
];
