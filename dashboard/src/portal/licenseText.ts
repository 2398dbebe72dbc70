import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { entryText } from "../ui/featureValues";
import { date, number, relative, isNear } from "../ui/formats";
import { lengthText } from "../ui/quantities";
import type { Vendor } from "../ui/vendor/vendor";

type PortalLicense = Schemas["PortalLicense"];

/** A label and a text. */
export type Fact = [label: string, text: string | null];

/** The term of a license in words. */
export function termOf({
  status,
  expirationDate,
  termDays,
  termMonths,
  inGraceUntil,
  inFallback,
  fallbackUntil,
}: PortalLicense): string {
  const term = lengthText(termDays, termMonths);
  if (term !== null) return t`${term} from the first use`;
  if (expirationDate === null) return t`Does not expire`;
  const end = date(expirationDate);
  if (inGraceUntil !== null)
    return t`Ended ${end}, still valid until ${{ day: date(inGraceUntil) }}`;
  if (inFallback && fallbackUntil !== null)
    return t`Yours to keep for releases until ${{ day: date(fallbackUntil) }}`;
  return status === "Expired" ? t`Expired ${end}` : t`Expires ${end}`;
}

/** Active users or balance left; null if the license has neither. */
export function amountOf(license: PortalLicense): string | null {
  const { seatsUsed, maxActiveUsersCount, meterBalance, meterMode } = license;
  if (meterBalance !== null) {
    const left = number(meterBalance);
    return meterMode === "Token"
      ? plural(meterBalance, { other: `${left} credits left` })
      : plural(meterBalance, { other: `${left} uses left` });
  }
  if (maxActiveUsersCount !== null) {
    const used = number(seatsUsed ?? 0);
    return t`${used} of ${{ seats: number(maxActiveUsersCount) }} in use`;
  }
  return null;
}

/** One-line summary of a license. */
export const inShort = (license: PortalLicense): string =>
  [termOf(license), amountOf(license)].filter(Boolean).join(" · ");

/** What ends soon or has ended while the license is active; null while there is nothing to do. */
export function endingOf(license: PortalLicense): string | null {
  const { status, expirationDate, updatesUntil, inGraceUntil, inFallback } = license;
  if (status !== "Active") return null;
  if (inGraceUntil !== null || inFallback) return termOf(license);
  if (expirationDate !== null && isNear(expirationDate))
    return t`Ends ${{ when: relative(expirationDate) }}`;
  if (updatesUntil === null) return null;
  if (new Date(updatesUntil) < new Date()) return t`Updates ended ${{ day: date(updatesUntil) }}`;
  return isNear(updatesUntil) ? t`Updates end ${{ when: relative(updatesUntil) }}` : null;
}

/** That no seat or little of the balance is left; null while there is enough. */
export function shortageOf(license: PortalLicense): string | null {
  const { status, seatsUsed, maxActiveUsersCount: seats, meterBalance, meterMode } = license;
  if (isLow(license) && meterBalance !== null) {
    if (meterBalance === 0) return t`Balance used up`;
    const left = number(meterBalance);
    return meterMode === "Token"
      ? plural(meterBalance, {
          one: `Only ${left} credit left`,
          other: `Only ${left} credits left`,
        })
      : plural(meterBalance, { one: `Only ${left} use left`, other: `Only ${left} uses left` });
  }
  // A single seat is there to be taken.
  const isFull = status === "Active" && seats !== null && seats > 1 && (seatsUsed ?? 0) >= seats;
  return isFull ? t`All ${{ seats: number(seats) }} seats in use` : null;
}

/** Whether the vendor's page for a renewal is what the holder needs next. */
export const isRenewalDue = (license: PortalLicense): boolean =>
  license.status === "Expired" || endingOf(license) !== null || isLow(license);

/** What an end user can do about a license that is not active. */
export const ADVICE: Partial<Record<PortalLicense["status"], string>> = {
  Expired: t`This license has expired. Ask the vendor to renew it. The license key stays the same.`,
  Suspended: t`The vendor has suspended this license. Contact them to find out why.`,
  Revoked: t`The vendor has revoked this license.`,
};

/** Whether it is time to get more of the balance. */
export const isLow = ({ status, lowBalance, meterBalance }: PortalLicense): boolean =>
  status === "Active" && (lowBalance || meterBalance === 0);

/** A feature's name as a customer reads it: "Raw import" for "raw-import". */
export const readable = (name: string): string => {
  const spaced = name.replace(/[-_]+/g, " ").trim();
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
};

/** What the license allows, one by one; nothing where it is not restricted. */
export const featuresOf = ({ entitlements }: PortalLicense): string[] =>
  Object.entries(entitlements ?? {}).map(([name, value]) => entryText(readable(name), value));

/** What the license is, in a buyer's words for its model. */
export function kindOf({ type, maxActiveUsersCount }: PortalLicense): string {
  const seats = maxActiveUsersCount ?? 0;
  const many = number(seats);
  switch (type) {
    case "Perpetual":
      return t`Permanent license`;
    case "Trial":
      return t`Trial`;
    case "Subscription":
      return t`Subscription`;
    case "NodeLocked":
      return t`For one device`;
    case "MeteredToken":
      return t`Prepaid credits`;
    case "MeteredCount":
      return t`Prepaid uses`;
    case "Floating":
      return maxActiveUsersCount === null
        ? t`Shared by any number of people`
        : plural(seats, {
            one: `For one person at a time, on any device`,
            other: `Shared by up to ${many} people at a time`,
          });
    case "Concurrent":
      return maxActiveUsersCount === null
        ? t`Shared by any number of devices`
        : plural(seats, { one: `For one device`, other: `Shared by up to ${many} devices` });
  }
}

/** Who sold the license, where the page does not already carry the name of its vendor. */
function soldBy({ issuer, institutionName }: PortalLicense, vendor: Vendor | undefined) {
  const seller = issuer ?? institutionName;
  const isSaid = vendor !== undefined && (issuer === null || issuer === vendor.displayName);
  return isSaid ? [] : [[t`Sold by`, seller] as Fact];
}

/** The facts of a license beside its term, its use and its key. */
export const factsOf = (license: PortalLicense, vendor: Vendor | undefined): Fact[] => [
  ...(license.updatesUntil === null
    ? []
    : [[t`Maintenance until`, date(license.updatesUntil)] as Fact]),
  [t`Bought with version`, license.releaseVersion],
  [t`Issued on`, date(license.createdAt)],
  ...soldBy(license, vendor),
];
