import { useEffect } from "react";
import { store, stored } from "./useStored";

/** A thing whose page was looked at. */
export interface Visited {
  /** Its ID. */
  key: string;
  /** "License"; what it looks like comes from its kind. */
  kind: string;
  label: string;
  /** What tells it from others of its name. */
  detail?: string;
  to: string;
}

const KEPT = 8;

/** What was looked at last, newest first. */
export const visitedLast = (): Visited[] => stored<Visited[]>("recent", []);

/** Remembers that something was looked at. */
export function remember({ key, kind, label, detail, to }: Visited): void {
  const others = visitedLast().filter((one) => one.key !== key);
  store("recent", [{ key, kind, label, ...(detail && { detail }), to }, ...others].slice(0, KEPT));
}

/** Remembers the thing whose page is shown, once it is known, whatever way led there. */
export function useVisited(visited: Visited | undefined): void {
  const text = visited && JSON.stringify(visited);
  useEffect(() => {
    if (text) remember(JSON.parse(text) as Visited);
  }, [text]);
}
