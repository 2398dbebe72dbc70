import { useCallback, useSyncExternalStore } from "react";

/** Whether the window fits a media query. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Whether the window is as narrow as that of a phone. */
export const useIsPhone = (): boolean => useMediaQuery("(max-width: 599px)");

/** Whether there is room for tables and a navigation beside the page. */
export const useHasRoom = (): boolean => useMediaQuery("(min-width: 900px)");
