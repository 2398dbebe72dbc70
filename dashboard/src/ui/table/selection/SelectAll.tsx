import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import type { Selection } from "./useSelection";

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
