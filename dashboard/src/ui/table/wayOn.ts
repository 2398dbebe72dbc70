import { t } from "@lingui/core/macro";
import { type Location, useNavigate } from "react-router";
import type { PageKey } from "../pageKeys";

/** A list that a page was opened from: its address, and the pages of its rows. */
interface Opened {
  list: Pick<Location, "pathname" | "search">;
  paths: readonly string[];
}

/** The list that was opened from last, by the kind of its pages. */
const opened = new Map<string, Opened>();

const kindOf = (path: string): string => path.split("/")[1] ?? "";

/** Remembers a list in which a page is opened, and its pages in their order. */
export function rememberWay(list: Opened["list"], paths: readonly string[]): void {
  const [first] = paths;
  if (first !== undefined) opened.set(kindOf(first), { list, paths });
}

/** The address of a list, filtered as it was if the page that is there was opened from it. */
export function wayBack(path: string, page: string): string {
  const from = opened.get(kindOf(page));
  const isFrom = from?.paths.some((one) => `${page}/`.startsWith(`${one}/`)) ?? false;
  return from && isFrom && from.list.pathname === path ? path + from.list.search : path;
}

/** The keys that go on to the next and the previous one of the list that a page was opened from. */
export function useWayOn(path: string): PageKey[] {
  const navigate = useNavigate();
  // With Shift also where a list on the page has the letter.
  const go = (key: string, step: number, meaning: string): PageKey => ({
    keys: [key, key.toUpperCase()],
    meaning,
    act: () => {
      const paths = opened.get(kindOf(path))?.paths ?? [];
      const place = paths.indexOf(path);
      const next = place < 0 ? undefined : paths[place + step];
      // The way back leads to the list, not through all that was looked at.
      if (next !== undefined) void navigate(next, { replace: true });
    },
  });
  return [go("j", 1, t`Next in the list`), go("k", -1, t`Previous in the list`)];
}
