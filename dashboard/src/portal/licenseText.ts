import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { entryText } from "../ui/featureValues";
import { date, number } from "../ui/formats";
import { MODEL_LABELS } from "../ui/labels";
import { MODEL_TRAITS } from "../ui/models";
import { lengthText } from "../ui/quantities";

type PortalLicense = Schemas["PortalLicense"];

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

/** What an end user can do about a license that is not active. */
export const ADVICE: Partial<Record<PortalLicense["status"], string>> = {
  Expired: t`This license has expired. Ask the vendor to renew it. The license key stays the same.`,
  Suspended: t`The vendor has suspended this license. Contact them to find out why.`,
  Revoked: t`The vendor has revoked this license.`,
};

/** A feature's name as a customer reads it: "Raw import" for "raw-import". */
const readable = (name: string): string => {
  const spaced = name.replace(/[-_]+/g, " ").trim();
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
};

/** What the license allows, one by one. */
export const featuresOf = ({ features, entitlements }: PortalLicense): string[] => [
  ...(features === null ? [t`All features`] : []),
  ...Object.entries(entitlements ?? {}).map(([name, value]) => entryText(readable(name), value)),
];

/** What limits the use of a license, by its model; sessions that take its seats have a part of their own. */
function limitsOf(license: PortalLicense): [string, string][] {
  const { seats, meter, binding } = MODEL_TRAITS[license.type];
  const amount = amountOf(license);
  if (meter) return [[t`Balance`, amount ?? t`Unlimited`]];
  if (binding) return [[t`Devices`, t`One device`]];
  return seats === "sessions" ? [] : [[t`Devices`, amount ?? t`Any number`]];
}

/** The facts of a license, as label and text. */
export const factsOf = (license: PortalLicense): [string, string | null][] => [
  [t`Model`, MODEL_LABELS[license.type]],
  [t`Term`, termOf(license)],
  ...(license.updatesUntil === null
    ? []
    : [[t`Maintenance until`, date(license.updatesUntil)] as [string, string]]),
  ...limitsOf(license),
  [t`Version`, license.releaseVersion],
  [t`Sold by`, license.issuer ?? license.institutionName],
];
