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
export function stored<T>(key: string, initial: T): T {
  const text = localStorage.getItem(PREFIX + key);
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

/** Forgets a value that this browser keeps. */
export function forgetStored(key: string): void {
  localStorage.removeItem(PREFIX + key);
  tell();
}

/** Forgets everything that this browser keeps for the user, but for the named values. */
export function clearStored(lasting: readonly string[]): void {
  const kept = new Set(lasting.map((key) => PREFIX + key));
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX) && !kept.has(key)) localStorage.removeItem(key);
  tell();
}

/** A value that this browser keeps, shared by all components and tabs. */
export function useStored<T>(key: string, initial: T) {
  const value = useSyncExternalStore(subscribe, () => stored(key, initial));
  const set = useCallback((next: T) => store(key, next), [key]);
  return [value, set] as const;
}
