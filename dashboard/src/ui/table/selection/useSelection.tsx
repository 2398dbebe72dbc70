import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import { useState } from "react";

interface Item {
  id: string;
}

/** What is selected in a list, also on other pages of it. Its methods suit a list of anything. */
export interface Selection<T> {
  items: T[];
  has: (id: string) => boolean;
  /** Selects an item or takes it out. */
  toggle(item: T): void;
  /** Selects all of these, or takes them out. */
  set(items: readonly T[], isSelected: boolean): void;
  clear: () => void;
  /** What a row is called, for the label of its checkbox. */
  nameOf(item: T): string;
}

/**
 * A selection that belongs to what the list shows: it empties when `belongsTo` changes, such as the
 * filters, and is gone when the page is left.
 */
export function useSelection<T extends Item>(
  belongsTo: string,
  nameOf: (item: T) => string,
): Selection<T> {
  const [items, keep] = useState<T[]>([]);
  const [shown, setShown] = useState(belongsTo);
  if (shown !== belongsTo) {
    setShown(belongsTo);
    keep([]);
  }
  // Of the newest selection, since a long action ends with what it was given.
  const change = (given: readonly T[], isSelected: boolean) =>
    keep((now) => {
      const ids = new Set(given.map(({ id }) => id));
      const others = now.filter(({ id }) => !ids.has(id));
      return isSelected ? [...others, ...given] : others;
    });
  const has = (id: string) => items.some((item) => item.id === id);
  return {
    items,
    has,
    toggle: (item) => change([item], !has(item.id)),
    set: change,
    clear: () => keep([]),
    nameOf,
  };
}

interface SelectAllProps<T> {
  items: readonly T[];
  selection: Selection<T>;
}

/** Selects all items of the page, or none. */
export function SelectAll<T extends { id: string }>({ items, selection }: SelectAllProps<T>) {
  const chosen = items.filter(({ id }) => selection.has(id)).length;
  const isWhole = items.length > 0 && chosen === items.length;
  return (
    <Checkbox
      disabled={items.length === 0}
      checked={isWhole}
      indeterminate={chosen > 0 && !isWhole}
      aria-label={t`Select all on this page`}
      onChange={() => selection.set(items, !isWhole)}
    />
  );
}

interface SelectOneProps<T> {
  item: T;
  selection: Selection<T>;
}

export const SelectOne = <T extends { id: string }>({ item, selection }: SelectOneProps<T>) => (
  <Checkbox
    checked={selection.has(item.id)}
    aria-label={t`Select ${{ name: selection.nameOf(item) }}`}
    onChange={() => selection.toggle(item)}
  />
);
