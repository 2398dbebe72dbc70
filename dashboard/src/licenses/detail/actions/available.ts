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
      return "Edit";
    case "term":
      return license.expirationDate === null ? "Set expiration date" : "Renew";
    case "send":
      return "Send by email";
    case "reinstate":
      return "Reinstate";
    case "suspend":
      return "Suspend";
    case "convert":
      return "Convert trial";
    case "revoke":
      return "Revoke";
    case "delete":
      return "Delete";
  }
}
