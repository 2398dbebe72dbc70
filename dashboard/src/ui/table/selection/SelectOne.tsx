import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import type { Selection } from "./useSelection";

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
