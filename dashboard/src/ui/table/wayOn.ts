import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router";
import type { PageKey } from "../pageKeys";

/** The pages of the rows of the list that one of them was opened from last, by their kind. */
const opened = new Map<string, readonly string[]>();

const kindOf = (path: string): string => path.split("/")[1] ?? "";

/** Remembers the pages of a list in which one is opened, in their order. */
export function rememberWay(paths: readonly string[]): void {
  const [first] = paths;
  if (first !== undefined) opened.set(kindOf(first), paths);
}

/** The keys that go on to the next and the previous one of the list that a page was opened from. */
export function useWayOn(path: string): PageKey[] {
  const navigate = useNavigate();
  // With Shift also where a list on the page has the letter.
  const go = (key: string, step: number, meaning: string): PageKey => ({
    keys: [key, key.toUpperCase()],
    meaning,
    act: () => {
      const paths = opened.get(kindOf(path)) ?? [];
      const place = paths.indexOf(path);
      const next = place < 0 ? undefined : paths[place + step];
      if (next !== undefined) void navigate(next);
    },
  });
  return [go("j", 1, t`Next in the list`), go("k", -1, t`Previous in the list`)];
}
