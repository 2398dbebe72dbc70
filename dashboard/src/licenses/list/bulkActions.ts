import { plural, t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { License, Schemas } from "../../api/types";
import { isSameTag } from "../../ui/tags/knownTags";
import { notify } from "../../ui/toasts/toasts";

export type BulkKind = Schemas["BulkAction"];

/** What a request says beside the action and its licenses. */
export type BulkGiven = Omit<Schemas["BulkLicensesRequest"], "action" | "ids" | "filter">;

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
  /** Whether a reason can be given. */
  takesReason?: boolean;
  /** What undoes it, if anything does. */
  undo?: {
    kind: BulkKind;
    /** What to give then for a license as it was before; null if the action did not change it. */
    given: (before: License, given: BulkGiven) => BulkGiven | null;
  };
}

const hasTag = (tags: string[], tag: string) => tags.some((one) => isSameTag(one, tag));

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
    takesReason: true,
    undo: { kind: "reinstate", given: ({ status }) => (status === "Suspended" ? null : {}) },
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
    takesReason: true,
    undo: { kind: "restore", given: ({ status }) => (status === "Revoked" ? null : {}) },
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
    consequence: t`A period counts from the end of each license, or from now if it has expired. Expired licenses work again.`,
    danger: false,
  },
  setRelease: {
    kind: "setRelease",
    label: t`Change release`,
    doing: t`Changing the release`,
    title: t`Changing the release`,
    named: (count) =>
      plural(count, {
        one: "Change the release of # license",
        other: "Change the release of # licenses",
      }),
    asked: (count) =>
      plural(count, {
        one: "Change the release of # license?",
        other: "Change the release of # licenses?",
      }),
    done: (count) =>
      plural(count, {
        one: "Release of # license changed",
        other: "Release of # licenses changed",
      }),
    none: t`None of the selected licenses can have this release; see the reasons above.`,
    consequence: t`Applications with a higher major version than the release are rejected from their next validation.`,
    danger: false,
    undo: {
      kind: "setRelease",
      given: ({ softwareReleaseId }, given) =>
        softwareReleaseId === given.softwareReleaseId ? null : { softwareReleaseId },
    },
  },
  applyPolicy: {
    kind: "applyPolicy",
    label: t`Apply policy`,
    doing: t`Applying the policy`,
    title: t`Applying the policy`,
    named: (count) =>
      plural(count, {
        one: "Apply the policy to # license",
        other: "Apply the policy to # licenses",
      }),
    asked: (count) =>
      plural(count, {
        one: "Apply a policy to # license?",
        other: "Apply a policy to # licenses?",
      }),
    done: (count) =>
      plural(count, {
        one: "Policy applied to # license",
        other: "Policy applied to # licenses",
      }),
    none: t`The policy cannot be applied to any of the selected licenses; see the reasons above.`,
    consequence: t`The licenses get the seats, modes, entitlement set and metadata of the policy. Terms, grace and balances stay. This cannot be undone.`,
    danger: false,
  },
  setEntitlementSet: {
    kind: "setEntitlementSet",
    label: t`Change entitlement set`,
    doing: t`Changing the entitlement set`,
    title: t`Changing the entitlement set`,
    named: (count) =>
      plural(count, {
        one: "Change the set of # license",
        other: "Change the set of # licenses",
      }),
    asked: (count) =>
      plural(count, {
        one: "Change the entitlement set of # license?",
        other: "Change the entitlement set of # licenses?",
      }),
    done: (count) =>
      plural(count, {
        one: "Entitlement set of # license changed",
        other: "Entitlement set of # licenses changed",
      }),
    none: t`None of the selected licenses can have this entitlement set; see the reasons above.`,
    consequence: t`Applications get the features of the set with their next validation. Existing license files keep the old ones until they are refreshed.`,
    danger: false,
    undo: {
      kind: "setEntitlementSet",
      given: ({ entitlementSetId }, given) =>
        entitlementSetId === given.entitlementSetId ? null : { entitlementSetId },
    },
  },
  convert: {
    kind: "convert",
    label: t`Convert`,
    doing: t`Converting`,
    title: t`Converting licenses`,
    named: (count) => plural(count, { one: "Convert # license", other: "Convert # licenses" }),
    asked: (count) => plural(count, { one: "Convert # license?", other: "Convert # licenses?" }),
    done: (count) => plural(count, { one: "# license converted", other: "# licenses converted" }),
    none: t`None of the selected licenses can be converted; see the reasons above.`,
    consequence: t`License keys stay the same. Applications get the new terms with their next validation. Where a license has more devices than seats, the newest are over the limit: they are rejected, but stay listed and get their seats back when the license has more. You can convert the licenses back later.`,
    danger: false,
  },
  addTag: {
    kind: "addTag",
    label: t`Add tag`,
    doing: t`Tagging`,
    title: t`Tagging licenses`,
    named: (count) => plural(count, { one: "Tag # license", other: "Tag # licenses" }),
    asked: (count) => plural(count, { one: "Tag # license?", other: "Tag # licenses?" }),
    done: (count) => plural(count, { one: "# license tagged", other: "# licenses tagged" }),
    none: t`None of the selected licenses can be tagged; see the reasons above.`,
    consequence: t`Tags are for your team only; customers cannot see them.`,
    danger: false,
    undo: {
      kind: "removeTag",
      given: ({ tags }, { tag }) => (tag && !hasTag(tags, tag) ? { tag } : null),
    },
  },
  removeTag: {
    kind: "removeTag",
    label: t`Remove tag`,
    doing: t`Removing the tag`,
    title: t`Removing the tag from licenses`,
    named: (count) =>
      plural(count, { one: "Remove tag from # license", other: "Remove tag from # licenses" }),
    asked: (count) =>
      plural(count, { one: "Remove tag from # license?", other: "Remove tag from # licenses?" }),
    done: (count) =>
      plural(count, { one: "# license without the tag", other: "# licenses without the tag" }),
    none: t`The tag cannot be removed from the selected licenses; see the reasons above.`,
    consequence: t`Licenses that do not have the tag stay as they are.`,
    danger: false,
    undo: {
      kind: "addTag",
      given: ({ tags }, { tag }) => (tag && hasTag(tags, tag) ? { tag } : null),
    },
  },
};

/** What has to be typed to revoke so many licenses. */
export function revokePhrase(count: number): string {
  const digits = String(count);
  return plural(count, { one: `revoke ${digits} license`, other: `revoke ${digits} licenses` });
}

const SHOWN = 3;

/** Some licenses by name: "Alpha, Beta, Gamma and 2 more". */
export function namesOf(items: readonly License[], shown = SHOWN): string {
  const first = items.slice(0, shown).map(({ licenseName }) => licenseName);
  const names = first.join(", ");
  const rest = items.length - first.length;
  return rest > 0 ? plural(rest, { other: `${names} and # more` }) : names;
}

export interface BulkResult {
  done: License[];
  refused: { license: License; why: string }[];
}

/** Refused licenses, those with the same reason together: "Alpha, Beta: The license is revoked." */
export function reasonsOf(refused: BulkResult["refused"]): string[] {
  const byReason = new Map<string, License[]>();
  for (const { license, why } of refused)
    byReason.set(why, [...(byReason.get(why) ?? []), license]);
  return [...byReason].map(([why, licenses]) => `${namesOf(licenses)}: ${why}`);
}

/** Runs an action on up to 1,000 licenses, or finds out what it would do. */
export async function runBulk(
  kind: BulkKind,
  licenses: License[],
  given: BulkGiven,
  dryRun: boolean,
): Promise<BulkResult> {
  const { data } = await api.POST("/api/licenses/bulk", {
    params: { query: { dryRun } },
    body: { ...given, action: kind, ids: licenses.map(({ id }) => id) },
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

/** As many as the API takes in one request. */
export const BULK_MAX = 1_000;

/** How many licenses are sent at once, so that there is progress to show. */
const PART = 100;

/** Licenses to which an action is done with what is given for them. */
export interface BulkBatch {
  licenses: License[];
  given: BulkGiven;
}

export interface BulkState extends BulkResult {
  action: BulkAction;
  total: number;
  /** What undoes the action for the licenses that it changed. */
  undo: BulkBatch[];
  isRunning: boolean;
  isStopped: boolean;
}

/** The licenses by what undoes the action for them. */
function undoOf({ undo }: BulkAction, licenses: License[], given: BulkGiven): BulkBatch[] {
  const found = new Map<string, BulkBatch>();
  for (const license of licenses) {
    const back = undo?.given(license, given);
    if (!back) continue;
    const key = JSON.stringify(back);
    const batch = found.get(key) ?? { licenses: [], given: back };
    batch.licenses.push(license);
    found.set(key, batch);
  }
  return [...found.values()];
}

function* partsOf(batches: BulkBatch[]): Generator<BulkBatch> {
  for (const { licenses, given } of batches)
    for (let first = 0; first < licenses.length; first += PART)
      yield { licenses: licenses.slice(first, first + PART), given };
}

/** The result in a sentence: "2 licenses suspended, 1 failed." */
export function resultOf({ action, total, done, refused, isStopped }: BulkState): string {
  const result = action.done(done.length);
  const failed = refused.length;
  const left = isStopped ? total - done.length - failed : 0;
  if (failed > 0 && left > 0)
    return t`${result}, ${plural(failed, { other: "# failed" })}, ${plural(left, { other: "# not started" })}.`;
  if (failed > 0) return t`${result}, ${plural(failed, { other: "# failed" })}.`;
  if (left > 0) return t`${result}, ${plural(left, { other: "# not started" })}.`;
  return t`${result}.`;
}

/**
 * Runs an action on licenses in parts; a part that fails does not stop the others. Unless something
 * was left out, a toast reports the result, and `onDone` gets the licenses.
 */
export function useBulkRun(onDone: (done: License[]) => void) {
  const [state, setState] = useState<BulkState | null>(null);
  const stopped = useRef(false);
  const queries = useQueryClient();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async (action: BulkAction, batches: BulkBatch[]) => {
    stopped.current = false;
    const done: License[] = [];
    const refused: BulkResult["refused"] = [];
    const undo: BulkBatch[] = [];
    const now = (isRunning: boolean): BulkState => ({
      action,
      total: batches.reduce((total, { licenses }) => total + licenses.length, 0),
      done: [...done],
      refused: [...refused],
      undo: [...undo],
      isRunning,
      isStopped: stopped.current,
    });
    setState(now(true));
    for (const { licenses, given } of partsOf(batches)) {
      if (stopped.current) break;
      try {
        const result = await runBulk(action.kind, licenses, given, false);
        done.push(...result.done);
        refused.push(...result.refused);
        undo.push(...undoOf(action, result.done, given));
      } catch (error) {
        const why = asProblem(error).message;
        refused.push(...licenses.map((license) => ({ license, why })));
      }
      setState(now(true));
    }
    const result = now(false);
    const isWhole = refused.length === 0 && !result.isStopped;
    setState(isWhole ? null : result);
    void queries.invalidateQueries();
    if (!isWhole) return;
    const back = action.undo && BULK_ACTIONS[action.undo.kind];
    notify(resultOf(result), {
      type: "success",
      ...(back && undo.length > 0 && { undo: () => start(back, undo) }),
    });
    onDone(done);
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
