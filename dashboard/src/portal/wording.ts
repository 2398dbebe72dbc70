import type { Schemas } from "../api/types";
import { date, number } from "../ui/formats";

type OwnLicense = Schemas["PortalLicenseView"];

/** Until when it runs, in words. */
export function termOf({ status, expirationDate }: OwnLicense): string {
  if (expirationDate === null) return "No end date";
  return `${status === "Expired" ? "Ended" : "Until"} ${date(expirationDate)}`;
}

/** What is left of the license's seats or balance; null where nothing is counted. */
export function amountOf(license: OwnLicense): string | null {
  const { seatsUsed, maxActiveUsersCount, meterBalance, meterMode } = license;
  if (meterBalance !== null)
    return `${number(meterBalance)} ${meterMode === "Token" ? "credits" : "uses"} left`;
  if (maxActiveUsersCount !== null)
    return `${number(seatsUsed ?? 0)} of ${number(maxActiveUsersCount)} seats used`;
  return null;
}

/** A license in a line. */
export const inShort = (license: OwnLicense): string =>
  [termOf(license), amountOf(license)].filter(Boolean).join(" · ");

/** What an end user can do about a license that does not work. */
export const ADVICE: Partial<Record<OwnLicense["status"], string>> = {
  Expired: "This license has ended. Ask the vendor to renew it; the key stays the same.",
  Suspended: "The vendor has put this license on hold. Ask there what is missing.",
  Revoked: "The vendor has withdrawn this license for good.",
};
