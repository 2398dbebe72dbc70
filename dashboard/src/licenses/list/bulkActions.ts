import { api } from "../../api/client";
import type { License } from "../../api/types";
import { date } from "../../ui/formats";

export type BulkKind = "suspend" | "reinstate" | "revoke" | "extend";

/** Input of a bulk action. */
export interface BulkInput {
  reason: string;
  /** The new expiration date. */
  end: string | null;
}

export interface BulkAction {
  /** Verb forms: "Suspend", "Suspending", "suspended". */
  verb: string;
  doing: string;
  done: string;
  consequence: string;
  danger: boolean;
  /** Why a license is skipped; null if it is not. */
  leftOut: (license: License, given: BulkInput) => string | null;
  run: (license: License, given: BulkInput) => Promise<unknown>;
}

const at = (license: License) => ({ path: { licenseId: license.id } });
const because = ({ reason }: BulkInput) => ({ reason: reason.trim() || null });
const none = () => null;

export const BULK_ACTIONS: Record<BulkKind, BulkAction> = {
  suspend: {
    verb: "Suspend",
    doing: "Suspending",
    done: "suspended",
    consequence:
      "Online applications are rejected immediately; existing license files keep working until their next refresh. You can reinstate the licenses later.",
    danger: false,
    leftOut: none,
    run: (license, given) =>
      api.POST("/api/licenses/{licenseId}/suspend", { params: at(license), body: because(given) }),
  },
  reinstate: {
    verb: "Reinstate",
    doing: "Reinstating",
    done: "reinstated",
    consequence: "Suspended licenses work again immediately. Other licenses are not changed.",
    danger: false,
    leftOut: none,
    run: (license) => api.POST("/api/licenses/{licenseId}/reinstate", { params: at(license) }),
  },
  revoke: {
    verb: "Revoke",
    doing: "Revoking",
    done: "revoked",
    consequence:
      "This is permanent: a revoked license cannot be restored. Online applications are rejected immediately; existing license files keep working until their next refresh.",
    danger: true,
    leftOut: none,
    run: (license, given) =>
      api.POST("/api/licenses/{licenseId}/revoke", { params: at(license), body: because(given) }),
  },
  extend: {
    verb: "Extend",
    doing: "Extending",
    done: "extended",
    consequence:
      "The licenses expire at the end of the day you choose. Expired licenses work again.",
    danger: false,
    leftOut: (license, { end }) => {
      if (license.expirationDate === null) return "does not expire";
      if (license.status === "Revoked") return "is revoked";
      if (end !== null && license.expirationDate >= end)
        return `already expires on ${date(license.expirationDate)}`;
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
