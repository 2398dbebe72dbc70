import type { License, LicenseType } from "../../api/types";

export const isMetered = (license: License): boolean => license.meterMode !== null;

/** Whether a number of seats is part of the license. */
export const isCapped = (type: LicenseType): boolean =>
  type === "Floating" || type === "Concurrent";

/** Whether the license cannot be without an end. */
export const needsTerm = (type: LicenseType): boolean =>
  type === "Trial" || type === "Subscription";

/** Balances of Credit-Based licenses are credits, those of Usage-Based ones count uses. */
export const unitOf = (license: License): string =>
  license.meterMode === "Count" ? "uses" : "credits";

export const isAddress = (issuedTo: string | null): issuedTo is string =>
  issuedTo?.includes("@") ?? false;
