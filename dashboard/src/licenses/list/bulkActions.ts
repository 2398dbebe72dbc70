import { api } from "../../api/client";
import type { License } from "../../api/types";
import { date } from "../../ui/formats";

export type BulkKind = "suspend" | "reinstate" | "revoke" | "extend";

/** What is asked for together with an action. */
export interface BulkGiven {
  reason: string;
  /** The last instant of the new term. */
  end: string | null;
}

export interface BulkAction {
  /** The word on the button, and what is done while it runs and after. */
  verb: string;
  doing: string;
  done: string;
  consequence: string;
  danger: boolean;
  /** Why a license is left out, where it is. */
  leftOut: (license: License, given: BulkGiven) => string | null;
  run: (license: License, given: BulkGiven) => Promise<unknown>;
}

const at = (license: License) => ({ path: { licenseId: license.id } });
const because = ({ reason }: BulkGiven) => ({ reason: reason.trim() || null });
const none = () => null;

export const BULK_ACTIONS: Record<BulkKind, BulkAction> = {
  suspend: {
    verb: "Suspend",
    doing: "Suspending",
    done: "suspended",
    consequence:
      "Applications that ask the server are refused at once; license files in use hold until their next refresh. Reinstate brings a license back.",
    danger: false,
    leftOut: none,
    run: (license, given) =>
      api.POST("/api/licenses/{licenseId}/suspend", { params: at(license), body: because(given) }),
  },
  reinstate: {
    verb: "Reinstate",
    doing: "Reinstating",
    done: "reinstated",
    consequence:
      "Suspended licenses work again at once. Those that are not suspended stay as they are.",
    danger: false,
    leftOut: none,
    run: (license) => api.POST("/api/licenses/{licenseId}/reinstate", { params: at(license) }),
  },
  revoke: {
    verb: "Revoke",
    doing: "Revoking",
    done: "revoked",
    consequence:
      "They end for good: nothing brings a revoked license back. Applications that ask the server are refused at once; license files in use end at their next refresh.",
    danger: true,
    leftOut: none,
    run: (license, given) =>
      api.POST("/api/licenses/{licenseId}/revoke", { params: at(license), body: because(given) }),
  },
  extend: {
    verb: "Extend",
    doing: "Extending",
    done: "extended",
    consequence: "The term of each ends with the day that you choose. Expired ones work again.",
    danger: false,
    leftOut: (license, { end }) => {
      if (license.expirationDate === null) return "has no end";
      if (license.status === "Revoked") return "is revoked";
      if (end !== null && license.expirationDate >= end)
        return `runs until ${date(license.expirationDate)} already`;
      return null;
    },
    run: (license, { end }) =>
      api.PUT("/api/licenses/{licenseId}", {
        params: at(license),
        body: { expirationDate: end },
      }),
  },
};

/** "1 license", "12 licenses". */
export const counted = (count: number): string =>
  `${String(count)} ${count === 1 ? "license" : "licenses"}`;
