import type { License, LicenseType } from "../../api/types";
import { LICENSE_MODELS } from "../models";

export const isMetered = (license: License): boolean => LICENSE_MODELS[license.type].meter !== null;

/** Whether the model has a seat cap. */
export const isCapped = (type: LicenseType): boolean => LICENSE_MODELS[type].seats !== null;

/** Whether the model requires an expiration date. */
export const needsTerm = (type: LicenseType): boolean => LICENSE_MODELS[type].endRequired;

/** Unit of the balance: credits for Credit-Based, uses for Usage-Based licenses. */
export const unitOf = (license: License): string => LICENSE_MODELS[license.type].meter ?? "";

export const isAddress = (issuedTo: string | null): issuedTo is string =>
  issuedTo?.includes("@") ?? false;
