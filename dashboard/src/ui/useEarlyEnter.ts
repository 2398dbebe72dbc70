import type { AutocompleteProps } from "@mui/material/Autocomplete";
import { useEffect, useRef } from "react";

type OnKeyDown = NonNullable<AutocompleteProps<unknown, false, false, false>["onKeyDown"]>;

/**
 * Keeps Enter that comes before the answer to what was typed: once the search has ended, the field
 * gets it again. Returns what takes the keys of the field, before anything else does.
 */
export function useEarlyEnter(isSearching: boolean): OnKeyDown {
  const pressedIn = useRef<EventTarget>(null);
  useEffect(() => {
    if (isSearching || !pressedIn.current) return;
    const again = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    pressedIn.current.dispatchEvent(again);
  }, [isSearching]);
  return (event) => {
    const isEarly = event.key === "Enter" && isSearching;
    pressedIn.current = isEarly ? event.target : null;
    if (!isEarly) return;
    // It would choose what was found before, or send the form that the field stands in.
    event.defaultMuiPrevented = true;
    event.preventDefault();
  };
}
