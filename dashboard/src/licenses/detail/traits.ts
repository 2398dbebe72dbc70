import { t } from "@lingui/core/macro";
import type { License, LicenseType } from "../../api/types";
import { MODEL_TRAITS, type MeterKind } from "../../ui/models";

export const isMetered = (license: License): boolean => MODEL_TRAITS[license.type].meter !== null;

/** Whether the model has a seat cap. */
export const isCapped = (type: LicenseType): boolean => MODEL_TRAITS[type].seats !== null;

/** Whether the model requires an expiration date. */
export const needsTerm = (type: LicenseType): boolean => MODEL_TRAITS[type].expirationRequired;

/** What the balance counts: credits for Credit-Based, uses for Usage-Based licenses. */
export const meterOf = (license: License): MeterKind =>
  MODEL_TRAITS[license.type].meter ?? "credits";

/** Unit of the balance, where it stands alone. */
export const unitOf = (license: License): string => UNITS[meterOf(license)];

const UNITS: Record<MeterKind, string> = {
  credits: t({ message: "credits", context: "unit" }),
  uses: t({ message: "uses", context: "unit" }),
};

export const isAddress = (issuedTo: string | null): issuedTo is string =>
  issuedTo?.includes("@") ?? false;
