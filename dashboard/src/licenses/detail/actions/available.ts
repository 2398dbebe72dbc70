import { t } from "@lingui/core/macro";
import type { License } from "../../../api/types";

export type Action =
  | "edit"
  | "term"
  | "maintenance"
  | "send"
  | "reinstate"
  | "restore"
  | "suspend"
  | "convert"
  | "rekey"
  | "revoke"
  | "delete";

/** Whether an action takes from the customer what cannot be given back. */
export const isGrave = (action: Action): boolean =>
  action === "rekey" || action === "revoke" || action === "delete";

const RESTORABLE_FOR_HOURS = 24;

/** Whether a revocation can still be undone. */
export const isRestorable = (revokedAt: string | null) =>
  revokedAt !== null && Date.now() - Date.parse(revokedAt) < RESTORABLE_FOR_HOURS * 3_600_000;

/** The actions the license's status allows, most likely first. */
export function availableActions({ status, type, issuedTo, revokedAt }: License): Action[] {
  if (status === "Revoked")
    return [...(isRestorable(revokedAt) ? (["restore"] as const) : []), "edit", "delete"];
  return [
    ...(status === "Suspended" ? (["reinstate"] as const) : []),
    ...(status === "Expired" ? (["term", "edit"] as const) : (["edit", "term"] as const)),
    "maintenance",
    ...(issuedTo === null ? [] : (["send"] as const)),
    ...(type === "Trial" ? (["convert"] as const) : []),
    ...(status === "Active" ? (["suspend"] as const) : []),
    ...(type === "Trial" ? [] : (["convert"] as const)),
    "rekey",
    "revoke",
    "delete",
  ];
}

export function labelOf(action: Action, license: License): string {
  switch (action) {
    case "edit":
      return t`Edit`;
    case "term":
      return license.expirationDate === null ? t`Set end date` : t`Extend`;
    case "maintenance":
      return license.updatesUntil === null ? t`Set maintenance` : t`Renew maintenance`;
    case "send":
      return t`Send by email`;
    case "reinstate":
      return t`Reinstate`;
    case "restore":
      return t`Restore`;
    case "suspend":
      return t`Suspend`;
    case "convert":
      return t`Convert`;
    case "rekey":
      return t`Replace key`;
    case "revoke":
      return t`Revoke`;
    case "delete":
      return t`Delete`;
  }
}
