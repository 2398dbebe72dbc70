import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { keysOfLists } from "./table/shownLists";

/** Whether keyboards have ⌘ where others have Ctrl. */
export const IS_APPLE = /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** What a key does on the page of one thing. */
export interface PageKey {
  /** As they are shown; each of them does it. */
  keys: readonly string[];
  meaning: string;
  act: (key: string) => void;
}

const shown = new Set<readonly PageKey[]>();

/** The keys of the page that is shown, but for those that a list on it has. */
export function pageKeys(): readonly PageKey[] {
  const taken = keysOfLists();
  return [...shown].flat().flatMap((one) => {
    const keys = one.keys.filter((key) => !taken.has(key));
    return keys.length > 0 ? [{ ...one, keys }] : [];
  });
}

/** Does what the page has for a key; returns whether it has something. */
export function pressPageKey(key: string): boolean {
  const found = pageKeys().find(({ keys }) => keys.includes(key));
  found?.act(key);
  return found !== undefined;
}

/** Gives the page these keys while it is shown; `false` leaves one out. */
export function usePageKeys(keys: readonly (PageKey | false)[]): void {
  useEffect(() => {
    const own = keys.filter((one) => one !== false);
    shown.add(own);
    return () => void shown.delete(own);
  });
}

/** The digits that open the tabs of a page. */
export const tabKey = (paths: readonly string[], open: (path: string) => void): PageKey => ({
  keys: paths.map((_, place) => String(place + 1)),
  meaning: t`Open a tab`,
  act: (key) => open(paths[Number(key) - 1] ?? ""),
});
