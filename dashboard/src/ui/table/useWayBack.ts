import { useRef, type FocusEvent } from "react";
import { focusOnItem, rowOf } from "./rows";

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
