import { api } from "../../api/client";
import type { License, Schemas } from "../../api/types";

export type BulkKind = Schemas["BulkAction"];

/** Input of a bulk action. */
export interface BulkInput {
  reason: string;
  /** The new expiration date. */
  end: string | null;
}

export interface BulkAction {
  kind: BulkKind;
  /** Verb forms: "Suspend", "Suspending", "suspended". */
  verb: string;
  doing: string;
  done: string;
  consequence: string;
  danger: boolean;
  /** The action that undoes it, if one does. */
  undo?: BulkKind;
}

export const BULK_ACTIONS: Record<BulkKind, BulkAction> = {
  suspend: {
    kind: "suspend",
    verb: "Suspend",
    doing: "Suspending",
    done: "suspended",
    consequence:
      "Online applications are rejected immediately; existing license files keep working until their next refresh. You can reinstate the licenses later.",
    danger: false,
    undo: "reinstate",
  },
  reinstate: {
    kind: "reinstate",
    verb: "Reinstate",
    doing: "Reinstating",
    done: "reinstated",
    consequence: "Suspended licenses work again immediately. Other licenses are not changed.",
    danger: false,
  },
  revoke: {
    kind: "revoke",
    verb: "Revoke",
    doing: "Revoking",
    done: "revoked",
    consequence:
      "This is permanent: a revoked license cannot be restored. Live sessions end and online applications are rejected immediately; existing license files keep working until their next refresh.",
    danger: true,
  },
  extend: {
    kind: "extend",
    verb: "Extend",
    doing: "Extending",
    done: "extended",
    consequence:
      "The licenses expire at the end of the day you choose. Expired licenses work again.",
    danger: false,
  },
};

export interface BulkResult {
  done: License[];
  refused: { license: License; why: string }[];
}

/** Runs an action on up to 1,000 licenses, or finds out what it would do. */
export async function runBulk(
  kind: BulkKind,
  licenses: License[],
  given: BulkInput,
  dryRun: boolean,
): Promise<BulkResult> {
  const { data } = await api.POST("/api/licenses/bulk", {
    params: { query: { dryRun } },
    body: {
      action: kind,
      ids: licenses.map(({ id }) => id),
      reason: given.reason.trim() || null,
      expirationDate: kind === "extend" ? given.end : null,
    },
  });
  const why = new Map(data?.refused.map((item) => [item.id, item.detail]));
  return {
    done: licenses.filter(({ id }) => !why.has(id)),
    refused: licenses.flatMap((license) => {
      const detail = why.get(license.id);
      return detail === undefined ? [] : [{ license, why: detail }];
    }),
  };
}

/** "1 license", "12 licenses". */
export const counted = (count: number): string =>
  `${String(count)} ${count === 1 ? "license" : "licenses"}`;
