import { plural, t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import { textOrNull } from "../../api/fields";
import type { License, Schemas } from "../../api/types";

/** Converting needs the terms of the new model, and asks for them license by license. */
export type BulkKind = Exclude<Schemas["BulkAction"], "convert">;

/** Input of a bulk action. */
export interface BulkInput {
  reason: string;
  /** The new expiration date. */
  end: string | null;
}

/** An action and its words, as whole sentences for each. */
interface BulkAction {
  kind: BulkKind;
  /** On its button: "Suspend". */
  label: string;
  /** Of its progress: "Suspending". */
  doing: string;
  /** While it runs: "Suspending licenses". */
  title: string;
  /** What it is about to do: "Suspend 2 licenses", and as a question. */
  named: (count: number) => string;
  asked: (count: number) => string;
  /** What it has done: "2 licenses suspended". */
  done: (count: number) => string;
  /** Why it does nothing. */
  none: string;
  consequence: string;
  danger: boolean;
  /** The action that undoes it, if one does. */
  undo?: BulkKind;
}

export const BULK_ACTIONS: Record<BulkKind, BulkAction> = {
  suspend: {
    kind: "suspend",
    label: t`Suspend`,
    doing: t`Suspending`,
    title: t`Suspending licenses`,
    named: (count) => plural(count, { one: "Suspend # license", other: "Suspend # licenses" }),
    asked: (count) => plural(count, { one: "Suspend # license?", other: "Suspend # licenses?" }),
    done: (count) => plural(count, { one: "# license suspended", other: "# licenses suspended" }),
    none: t`None of the selected licenses can be suspended; see the reasons above.`,
    consequence: t`Online applications are rejected immediately; existing license files keep working until their next refresh. You can reinstate the licenses later.`,
    danger: false,
    undo: "reinstate",
  },
  reinstate: {
    kind: "reinstate",
    label: t`Reinstate`,
    doing: t`Reinstating`,
    title: t`Reinstating licenses`,
    named: (count) => plural(count, { one: "Reinstate # license", other: "Reinstate # licenses" }),
    asked: (count) =>
      plural(count, { one: "Reinstate # license?", other: "Reinstate # licenses?" }),
    done: (count) => plural(count, { one: "# license reinstated", other: "# licenses reinstated" }),
    none: t`None of the selected licenses can be reinstated; see the reasons above.`,
    consequence: t`Suspended licenses work again immediately. Other licenses are not changed.`,
    danger: false,
  },
  revoke: {
    kind: "revoke",
    label: t`Revoke`,
    doing: t`Revoking`,
    title: t`Revoking licenses`,
    named: (count) => plural(count, { one: "Revoke # license", other: "Revoke # licenses" }),
    asked: (count) => plural(count, { one: "Revoke # license?", other: "Revoke # licenses?" }),
    done: (count) => plural(count, { one: "# license revoked", other: "# licenses revoked" }),
    none: t`None of the selected licenses can be revoked; see the reasons above.`,
    consequence: t`Revoked licenses can be restored for 24 hours. Live sessions end and online applications are rejected immediately; existing license files keep working until their next refresh.`,
    danger: true,
    undo: "restore",
  },
  restore: {
    kind: "restore",
    label: t`Restore`,
    doing: t`Restoring`,
    title: t`Restoring licenses`,
    named: (count) => plural(count, { one: "Restore # license", other: "Restore # licenses" }),
    asked: (count) => plural(count, { one: "Restore # license?", other: "Restore # licenses?" }),
    done: (count) => plural(count, { one: "# license restored", other: "# licenses restored" }),
    none: t`None of the selected licenses can be restored; see the reasons above.`,
    consequence: t`Licenses that were revoked within the last 24 hours work again. Other licenses are not changed.`,
    danger: false,
  },
  extend: {
    kind: "extend",
    label: t`Extend`,
    doing: t`Extending`,
    title: t`Extending licenses`,
    named: (count) => plural(count, { one: "Extend # license", other: "Extend # licenses" }),
    asked: (count) => plural(count, { one: "Extend # license?", other: "Extend # licenses?" }),
    done: (count) => plural(count, { one: "# license extended", other: "# licenses extended" }),
    none: t`None of the selected licenses can be extended; see the reasons above.`,
    consequence: t`The licenses expire at the end of the day you choose. Expired licenses work again.`,
    danger: false,
  },
};

/** What has to be typed to revoke so many licenses. */
export function revokePhrase(count: number): string {
  const digits = String(count);
  return plural(count, { one: `revoke ${digits} license`, other: `revoke ${digits} licenses` });
}

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
      reason: textOrNull(given.reason),
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

/** How many licenses are sent at once, so that there is progress to show. */
const PART = 100;

export interface BulkState extends BulkResult {
  action: BulkAction;
  total: number;
  /** Those that the action changed, which another action can undo. */
  undoable: License[];
  isRunning: boolean;
  isStopped: boolean;
}

/** Runs an action on licenses in parts; a part that fails does not stop the others. */
export function useBulkRun() {
  const [state, setState] = useState<BulkState | null>(null);
  const stopped = useRef(false);
  const queries = useQueryClient();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async (action: BulkAction, licenses: License[], given: BulkInput) => {
    stopped.current = false;
    const done: License[] = [];
    const refused: BulkResult["refused"] = [];
    const show = (isRunning: boolean) =>
      setState({
        action,
        total: licenses.length,
        done: [...done],
        refused: [...refused],
        undoable: action.undo ? done.filter(({ status }) => status !== "Suspended") : [],
        isRunning,
        isStopped: stopped.current,
      });
    show(true);
    for (let first = 0; first < licenses.length && !stopped.current; first += PART) {
      const part = licenses.slice(first, first + PART);
      try {
        const result = await runBulk(action.kind, part, given, false);
        done.push(...result.done);
        refused.push(...result.refused);
      } catch (error) {
        const why = asProblem(error).message;
        refused.push(...part.map((license) => ({ license, why })));
      }
      show(true);
    }
    show(false);
    void queries.invalidateQueries();
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
    close: () => setState(null),
  };
}
