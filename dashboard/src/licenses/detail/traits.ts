import type { License, LicenseType } from "../../api/types";
import { MODEL_TRAITS } from "../../ui/models";

export const isMetered = (license: License): boolean => MODEL_TRAITS[license.type].meter !== null;

/** Whether the model has a seat cap. */
export const isCapped = (type: LicenseType): boolean => MODEL_TRAITS[type].seats !== null;

/** Whether the model requires an expiration date. */
export const needsTerm = (type: LicenseType): boolean => MODEL_TRAITS[type].expirationRequired;

/** Unit of the balance: credits for Credit-Based, uses for Usage-Based licenses. */
export const unitOf = (license: License): string => MODEL_TRAITS[license.type].meter ?? "";

export const isAddress = (issuedTo: string | null): issuedTo is string =>
  issuedTo?.includes("@") ?? false;
