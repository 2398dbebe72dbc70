import { useEffect } from "react";

/** A list of the page with rows, for the keys that reach it from outside. */
export interface ShownList {
  /** Selects the page, and then all that match; null where nothing can be selected. */
  selectAll: (() => void) | null;
}

const shown = new Set<ShownList>();

/** The lists of the page that have rows. */
export const shownLists = (): readonly ShownList[] => [...shown];

/** The first list of the page whose rows can be selected. */
export const selectableList = (): (() => void) | undefined =>
  shownLists().find(({ selectAll }) => selectAll)?.selectAll ?? undefined;

/** Lets the keys of the page reach a list while it is shown; null while it has no rows. */
export function useShownList(list: ShownList | null): void {
  useEffect(() => {
    if (!list) return undefined;
    shown.add(list);
    return () => void shown.delete(list);
  });
}

/** The keys that are those of the lists of the page, which the page itself does not have then. */
export function keysOfLists(): ReadonlySet<string> {
  if (shown.size === 0) return new Set();
  return new Set(["j", "k", ".", ...(selectableList() ? ["x", "b"] : [])]);
}
