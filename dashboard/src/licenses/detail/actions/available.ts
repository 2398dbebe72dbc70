import { t } from "@lingui/core/macro";
import type { License } from "../../../api/types";

export type Action =
  "edit" | "term" | "send" | "reinstate" | "suspend" | "convert" | "revoke" | "delete";

/** The actions the license's status allows, most likely first. */
export function availableActions({ status, type, issuedTo }: License): Action[] {
  if (status === "Revoked") return ["edit", "delete"];
  return [
    ...(status === "Suspended" ? (["reinstate"] as const) : []),
    ...(status === "Expired" ? (["term", "edit"] as const) : (["edit", "term"] as const)),
    ...(issuedTo === null ? [] : (["send"] as const)),
    ...(type === "Trial" ? (["convert"] as const) : []),
    ...(status === "Active" ? (["suspend"] as const) : []),
    "revoke",
    "delete",
  ];
}

export function labelOf(action: Action, license: License): string {
  switch (action) {
    case "edit":
      return t`Edit`;
    case "term":
      return license.expirationDate === null ? t`Set expiration date` : t`Renew`;
    case "send":
      return t`Send by email`;
    case "reinstate":
      return t`Reinstate`;
    case "suspend":
      return t`Suspend`;
    case "convert":
      return t`Convert trial`;
    case "revoke":
      return t`Revoke`;
    case "delete":
      return t`Delete`;
  }
}
