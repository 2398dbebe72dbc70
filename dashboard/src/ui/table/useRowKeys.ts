import type { KeyboardEvent } from "react";
import { focusOnRow, rowOf, rowsIn } from "./rows";
import type { Selection } from "./selection/useSelection";

/**
 * The keys of a table or list of cards: arrows go from row to row, with Shift they select on the
 * way, `x` selects the row, Ctrl/Cmd+A all rows, Escape clears the selection. Enter follows the link
 * of the row, as it does anyway.
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
    if (key === "ArrowDown" || key === "ArrowUp") {
      const rows = rowsIn(currentTarget);
      const place = row ? rows.indexOf(row) : -1;
      const next = rows[key === "ArrowDown" ? place + 1 : place - 1];
      if (!next) return;
      event.preventDefault();
      focusOnRow(next);
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
