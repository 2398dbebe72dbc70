import { useCallback, useSyncExternalStore } from "react";

const PREFIX = "licet.";
const listeners = new Set<() => void>();

const tell = () => listeners.forEach((listener) => listener());

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Other tabs of the browser.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

const parsed = new Map<string, { text: string; value: unknown }>();

/** The value that this browser keeps; the same object as long as the text is the same. */
export const stored = <T>(key: string, initial: T): T =>
  valueOf(key, localStorage.getItem(PREFIX + key), initial);

function valueOf<T>(key: string, text: string | null, initial: T): T {
  if (text === null) return initial;
  const known = parsed.get(key);
  if (known?.text === text) return known.value as T;
  try {
    const value = JSON.parse(text) as T;
    parsed.set(key, { text, value });
    return value;
  } catch {
    return initial;
  }
}

/** Keeps a value in this browser. */
export function store(key: string, value: unknown): void {
  localStorage.setItem(PREFIX + key, JSON.stringify(value));
  tell();
}

/** The text that this tab keeps; in a new tab, what another one kept last. */
function textOfTab(key: string): string {
  const own = sessionStorage.getItem(PREFIX + key);
  if (own !== null) return own;
  const first = localStorage.getItem(PREFIX + key) ?? "null";
  sessionStorage.setItem(PREFIX + key, first);
  return first;
}

/** Forgets a value that this browser keeps. */
export function forgetStored(key: string): void {
  localStorage.removeItem(PREFIX + key);
  tell();
}

/** Forgets everything that this browser keeps for the user, but for the named values. */
export function clearStored(lasting: readonly string[]): void {
  const kept = new Set(lasting.map((key) => PREFIX + key));
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(PREFIX) && !kept.has(key)) storage.removeItem(key);
  tell();
}

/** A value that this browser keeps, shared by all components and tabs. */
export function useStored<T>(key: string, initial: T) {
  const value = useSyncExternalStore(subscribe, () => stored(key, initial));
  const set = useCallback((next: T) => store(key, next), [key]);
  return [value, set] as const;
}

/** A value that each tab keeps for itself; a new tab begins with what was chosen last. */
export function useTabStored<T>(key: string) {
  const value = useSyncExternalStore(subscribe, () =>
    valueOf<T | null>(`tab ${key}`, textOfTab(key), null),
  );
  const set = useCallback(
    (next: T) => {
      sessionStorage.setItem(PREFIX + key, JSON.stringify(next));
      store(key, next);
    },
    [key],
  );
  return [value, set] as const;
}
