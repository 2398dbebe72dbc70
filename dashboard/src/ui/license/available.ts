import { t } from "@lingui/core/macro";
import type { License } from "../../api/types";
import { MODEL_TRAITS } from "../models";

export type Action =
  | "grant"
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

/** The actions that the status and the model allow, most likely first. */
export function availableActions(license: License): Action[] {
  const { status, type, issuedTo, revokedAt, expirationDate } = license;
  if (status === "Revoked")
    return [...(isRestorable(revokedAt) ? (["restore"] as const) : []), "edit", "delete"];
  const given: Partial<Record<Action, boolean>> = {
    reinstate: status === "Suspended",
    grant: MODEL_TRAITS[type].meter !== null,
    term: expirationDate !== null,
    convert: type === "Trial",
    send: issuedTo !== null,
  };
  const likely = LIKELY.filter((action) => given[action]);
  const others = OTHERS.filter(
    (action) => !likely.includes(action) && (action !== "suspend" || status === "Active"),
  );
  return [...likely, ...others];
}

/**
 * The two actions that stand as buttons in the head of the page, whatever the status, so that they
 * keep their places.
 */
export function headActions({ type, issuedTo, expirationDate: end }: License): Action[] {
  const isHad: Partial<Record<Action, boolean>> = {
    grant: MODEL_TRAITS[type].meter !== null,
    term: end !== null,
    convert: type === "Trial",
    send: issuedTo !== null,
    edit: true,
  };
  return HEAD.filter((action) => isHad[action]).slice(0, 2);
}

const HEAD: readonly Action[] = ["grant", "term", "convert", "send", "edit"];
const LIKELY: readonly Action[] = ["reinstate", "grant", "term", "convert", "send"];
const OTHERS: readonly Action[] = [
  "edit",
  "suspend",
  "term",
  "maintenance",
  "convert",
  "rekey",
  "revoke",
  "delete",
];

export function labelOf(action: Action, license: License): string {
  switch (action) {
    case "grant":
      return t({ message: "Grant", context: "verb" });
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
