import { store, stored } from "../../ui/useStored";

/** A thing that was opened from the palette; its icon comes from its kind. */
export interface Recent {
  key: string;
  label: string;
  kind: string;
  to: string;
}

const KEPT = 6;

export const recentThings = (): Recent[] => stored<Recent[]>("recent", []);

/** Remembers what was opened, newest first. */
export function remember({ key, label, kind, to }: Recent): void {
  const others = recentThings().filter((one) => one.key !== key);
  store("recent", [{ key, label, kind, to }, ...others].slice(0, KEPT));
}
