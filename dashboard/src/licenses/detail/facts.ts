import type { License, LicenseType } from "../../api/types";
import { LICENSE_MODELS } from "../models";

export const isMetered = (license: License): boolean => LICENSE_MODELS[license.type].meter !== null;

/** Whether a number of seats is part of the license. */
export const isCapped = (type: LicenseType): boolean => LICENSE_MODELS[type].seats !== null;

/** Whether the license cannot be without an end. */
export const needsTerm = (type: LicenseType): boolean => LICENSE_MODELS[type].endRequired;

/** Balances of Credit-Based licenses are credits, those of Usage-Based ones count uses. */
export const unitOf = (license: License): string => LICENSE_MODELS[license.type].meter ?? "";

export const isAddress = (issuedTo: string | null): issuedTo is string =>
  issuedTo?.includes("@") ?? false;
