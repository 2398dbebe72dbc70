import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import type { Selection } from "./selection/useSelection";
import { useShownList } from "./shownLists";

/** The rows of a table or cards of a list, in order. */
export const rowsIn = (list: ParentNode): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>("[data-row]"),
];

/** The row that an element stands in. */
const rowOf = (one: EventTarget | null): HTMLElement | null =>
  one instanceof Element ? one.closest<HTMLElement>("[data-row]") : null;

/** Gives a row the focus: what opens it or leads to it takes it, else its first button or checkbox. */
export function focusOnRow(row: HTMLElement | undefined): void {
  const handle =
    row?.querySelector<HTMLElement>("[data-opens]") ??
    row?.querySelector<HTMLElement>("a[href]") ??
    row?.querySelector("button, input");
  if (handle instanceof HTMLElement) handle.focus();
}

/** Whether an element stands in a row, whose own keys come first. */
export const isInRow = (one: EventTarget | null): boolean => rowOf(one) !== null;

/** Gives the first row of the page the focus, if it is in sight; returns whether it is. */
export function focusOnFirstRow(): boolean {
  const [first] = rowsIn(document);
  if (!first || first.getBoundingClientRect().top > window.innerHeight) return false;
  focusOnRow(first);
  return true;
}

/**
 * Gives the last button of the first row the focus, which acts on it, once there are rows, each time
 * that a link leads to the list with this hash.
 */
export function useFocusByHash(wanted: string, hasRows: boolean): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash !== wanted || !hasRows) return undefined;
    // After the page has got the focus, as on every way to it.
    const timer = setTimeout(() =>
      [...(rowsIn(document)[0]?.querySelectorAll("button") ?? [])].at(-1)?.focus(),
    );
    return () => clearTimeout(timer);
  }, [wanted, hash, key, hasRows]);
}

/** Gives the row of an item the focus, or the first one if that is not shown any more. */
function focusOnItem(id: string): void {
  const rows = rowsIn(document);
  focusOnRow(rows.find(({ dataset }) => dataset["row"] === id) ?? rows[0]);
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** The button that selects all that match, which is offered once the page is selected. */
const SELECTS_MATCHING = "[data-hotkey~='Control+a']";

/** Selects all rows of the page, or all that match once those are selected. */
function selectAll<T extends { id: string }>(items: readonly T[], selection: Selection<T>): void {
  if (!items.every(({ id }) => selection.has(id))) selection.set(items, true);
  else document.querySelector<HTMLElement>(SELECTS_MATCHING)?.click();
}

/**
 * The keys of a table or list of cards: arrows, `j` and `k` go from row to row, with Shift they select on the
 * way, `x` selects the row, Escape clears the selection, `.` opens the menu of the row. Enter follows
 * the link of the row, as it does anyway. The page has the keys that reach the list from outside.
 */
export function useRowKeys<T extends { id: string }>(
  items: readonly T[],
  selection: Selection<T> | null | undefined,
) {
  useShownList(
    items.length > 0 ? { selectAll: selection ? () => selectAll(items, selection) : null } : null,
  );
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, shiftKey } = event;
    // A dialog of a row is its child for React, but has its own keys.
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    const hasCommand = event.ctrlKey || event.metaKey;
    if (hasCommand || event.altKey) return;
    const row = rowOf(target);
    const itemOf = (one: HTMLElement | null) =>
      items.find((item) => item.id === one?.dataset["row"]);
    const current = itemOf(row);
    const step = STEPS[key];
    if (step !== undefined) {
      const rows = rowsIn(currentTarget);
      const place = row ? rows.indexOf(row) : -1;
      const next = rows[place + step];
      if (!next) return;
      event.preventDefault();
      focusOnRow(next);
      const passed = [current, itemOf(next)].filter((item) => item !== undefined);
      if (shiftKey) selection?.set(passed, true);
    } else if (key === "x" && selection && current) {
      selection.toggle(current);
    } else if (key === "." && row) {
      row.querySelector<HTMLElement>("[aria-haspopup=menu]")?.click();
    } else if (key === "Escape" && selection?.items.length) {
      event.preventDefault();
      selection.clear();
    }
  };
}

/** Remembers from which row the focus came to something outside the list, to bring it back. */
export function useWayBack() {
  const row = useRef<string | undefined>(undefined);
  return {
    onFocus: ({ relatedTarget }: FocusEvent) => {
      row.current = rowOf(relatedTarget)?.dataset["row"] ?? row.current;
    },
    /** Goes back once what closes now is gone. */
    goBack: () => {
      const { current } = row;
      if (current !== undefined) requestAnimationFrame(() => focusOnItem(current));
    },
  };
}
