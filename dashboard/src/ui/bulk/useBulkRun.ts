import { plural, t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { asProblem } from "../../api/problem";
import { notify, notifyUndone } from "../toasts/toasts";

/** What is done with many items at once, and its words. */
export interface BulkAction<T, Given, Kind extends string> {
  /** On its button: "Suspend". */
  label: string;
  /** Chooses it for the selection. */
  key?: string;
  danger?: true;
  /** Whether an item can be meant by it; it is offered where one of them is, or without this. */
  fits?: (item: T) => boolean;
  /** While it runs: "Suspending licenses". */
  title: string;
  /** What it has done: "2 licenses suspended". */
  done: (count: number) => string;
  /** What undoes it, if anything does. */
  undo?: {
    kind: Kind;
    /**
     * What to give then for an item as it was before; null if the action did not change it.
     * `request` is the ID of the request that changed it.
     */
    given: (before: T, given: Given, request: string | undefined) => Given | null;
  };
}

export interface BulkResult<T> {
  done: T[];
  refused: { item: T; why: string }[];
  /** The ID of the request, by which it can be undone; left out if it changed nothing. */
  request?: string | undefined;
}

/** Items to which an action is done with what is given for them. */
export interface BulkBatch<T, Given> {
  items: T[];
  given: Given;
}

export interface BulkOptions<T, Given, Kind extends string> {
  actions: Record<Kind, BulkAction<T, Given, Kind>>;
  /** Does it to some of the items; what it throws is why it did nothing to any of them. */
  send: (kind: Kind, items: T[], given: Given) => Promise<BulkResult<T>>;
  /** How many are sent at once, so that there is progress to show. */
  part: number;
}

interface BulkState<T, Given, Kind extends string> extends BulkResult<T> {
  action: BulkAction<T, Given, Kind>;
  total: number;
  /** What undoes the action for the items that it changed. */
  undo: BulkBatch<T, Given>[];
  isRunning: boolean;
  isStopped: boolean;
}

const SHOWN = 3;

/** Some of many names: "Alpha, Beta, Gamma and 2 more". */
export function namesOf(all: readonly string[], shown = SHOWN, count = all.length): string {
  const names = all.slice(0, shown).join(", ");
  const rest = count - shown;
  return rest > 0 ? plural(rest, { other: `${names} and # more` }) : names;
}

/** Refused items, those with the same reason together: "Alpha, Beta: The license is revoked." */
export function reasonsOf<T>(refused: BulkResult<T>["refused"], nameOf: (item: T) => string) {
  const byReason = new Map<string, string[]>();
  for (const { item, why } of refused)
    byReason.set(why, [...(byReason.get(why) ?? []), nameOf(item)]);
  return [...byReason].map(([why, names]) => `${namesOf(names)}: ${why}`);
}

/** The items by what undoes the action for them. */
function undoOf<T, Given, Kind extends string>(
  { undo }: BulkAction<T, Given, Kind>,
  { done, request }: BulkResult<T>,
  given: Given,
): BulkBatch<T, Given>[] {
  const found = new Map<string, BulkBatch<T, Given>>();
  for (const item of done) {
    const back = undo?.given(item, given, request);
    if (!back) continue;
    const key = JSON.stringify(back);
    const batch = found.get(key) ?? { items: [], given: back };
    batch.items.push(item);
    found.set(key, batch);
  }
  return [...found.values()];
}

/** The batches in parts of at most so many items. */
export function* partsOf<T, Given>(batches: BulkBatch<T, Given>[], part: number) {
  for (const { items, given } of batches)
    for (let first = 0; first < items.length; first += part)
      yield { items: items.slice(first, first + part), given };
}

/** The result in a sentence: "2 licenses suspended, 1 failed." */
export function resultOf<T, Given, Kind extends string>(state: BulkState<T, Given, Kind>): string {
  const { action, total, done, refused, isStopped } = state;
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
 * Runs an action on items in parts; a part that fails does not stop the others. Unless something
 * was left out, a toast reports the result, or the action that it undoes, and `onDone` gets the items.
 */
export function useBulkRun<T, Given, Kind extends string>(
  { actions, send, part }: BulkOptions<T, Given, Kind>,
  onDone: (done: T[]) => void,
) {
  const [state, setState] = useState<BulkState<T, Given, Kind> | null>(null);
  const stopped = useRef(false);
  const queries = useQueryClient();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async (
    kind: Kind,
    batches: BulkBatch<T, Given>[],
    undoes?: BulkAction<T, Given, Kind>,
  ) => {
    stopped.current = false;
    const action = actions[kind];
    const done: T[] = [];
    const refused: BulkResult<T>["refused"] = [];
    const undo: BulkBatch<T, Given>[] = [];
    const now = (isRunning: boolean): BulkState<T, Given, Kind> => ({
      action,
      total: batches.reduce((total, { items }) => total + items.length, 0),
      done: [...done],
      refused: [...refused],
      undo: [...undo],
      isRunning,
      isStopped: stopped.current,
    });
    setState(now(true));
    for (const { items, given } of partsOf(batches, part)) {
      if (stopped.current) break;
      try {
        const result = await send(kind, items, given);
        done.push(...result.done);
        refused.push(...result.refused);
        undo.push(...undoOf(action, result, given));
      } catch (error) {
        const why = asProblem(error).message;
        refused.push(...items.map((item) => ({ item, why })));
      }
      setState(now(true));
    }
    const result = now(false);
    const isWhole = refused.length === 0 && !result.isStopped;
    setState(isWhole ? null : result);
    void queries.invalidateQueries();
    if (!isWhole) return;
    const back = action.undo?.kind;
    if (undoes) notifyUndone(t`${{ result: undoes.done(done.length) }}.`);
    else
      notify(resultOf(result), {
        type: "success",
        ...(back && undo.length > 0 && { undo: () => start(back, undo, action) }),
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
