import type { KeyboardEvent } from "react";
import type { Selection } from "./selection/useSelection";

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>("tr[data-row]")];

/** What takes the focus for a row: its link, else its first button or checkbox. */
const handleOf = (row: HTMLElement) =>
  row.querySelector<HTMLElement>("a[href]") ?? row.querySelector<HTMLElement>("button, input");

/**
 * The keys of a table: arrows go from row to row, with Shift they select on the way, `x` selects the
 * row, Escape clears the selection. Enter follows the link of the row, as it does anyway.
 */
export function useRowKeys<T extends { id: string }>(
  items: readonly T[],
  selection: Selection<T> | undefined,
) {
  return (event: KeyboardEvent<HTMLTableElement>) => {
    const { key, target, currentTarget, shiftKey } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return;
    // A dialog of a row is its child for React, but has its own keys.
    if (!currentTarget.contains(target)) return;
    const row = target.closest<HTMLElement>("tr[data-row]");
    const itemOf = (one: HTMLElement | null | undefined) =>
      items.find((item) => item.id === one?.dataset["row"]);
    const current = itemOf(row);
    const isMove = key === "ArrowDown" || key === "ArrowUp";
    if (isMove) {
      const rows = rowsOf(currentTarget);
      const place = row ? rows.indexOf(row) : -1;
      const next = rows[key === "ArrowDown" ? place + 1 : place - 1];
      if (!next) return;
      event.preventDefault();
      handleOf(next)?.focus();
      const passed = [current, itemOf(next)].filter((item) => item !== undefined);
      if (shiftKey) selection?.set(passed, true);
    } else if (key === "x" && selection && current) {
      selection.toggle(current);
    } else if (key === "Escape" && selection?.items.length) {
      event.preventDefault();
      selection.clear();
    }
  };
}
