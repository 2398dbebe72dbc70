import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import type { Selection } from "./selection/useSelection";

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

/** Gives the first row of the page the focus, if it is in sight; returns whether it is. */
export function focusOnFirstRow(): boolean {
  const [first] = rowsIn(document);
  if (!first || first.getBoundingClientRect().top > window.innerHeight) return false;
  focusOnRow(first);
  return true;
}

/** Gives the row of an item the focus, or the first one if that is not shown any more. */
function focusOnItem(id: string): void {
  const rows = rowsIn(document);
  focusOnRow(rows.find(({ dataset }) => dataset["row"] === id) ?? rows[0]);
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * The keys of a table or list of cards: arrows, `j` and `k` go from row to row, with Shift they select on the
 * way, `x` selects the row, Ctrl/Cmd+A all rows, Escape clears the selection, `.` opens the menu of
 * the row. Enter follows the link of the row, as it does anyway.
 */
export function useRowKeys<T extends { id: string }>(
  items: readonly T[],
  selection: Selection<T> | null | undefined,
) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, shiftKey } = event;
    // A dialog of a row is its child for React, but has its own keys.
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    const hasCommand = event.ctrlKey || event.metaKey;
    if (hasCommand && key === "a" && selection) {
      event.preventDefault();
      selection.set(items, true);
    }
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
