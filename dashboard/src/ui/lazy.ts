import {
  createElement,
  Suspense,
  use,
  useState,
  useSyncExternalStore,
  type ComponentType,
} from "react";

interface Loaded<P> {
  default: ComponentType<P>;
}

/** Code of the dashboard that could not be loaded: offline, or gone since a new release. */
export class ChunkError extends Error {}

export type LazyComponent<P> = ComponentType<P> & {
  /** Loads the code before it is shown; a failure is met when it is. */
  preload: () => void;
};

const failed = new Set<() => void>();

/** Code that something waits for to be drawn. */
const awaited = new Set<Promise<unknown>>();
const listeners = new Set<() => void>();
const tellListeners = () => listeners.forEach((listener) => listener());

function watch(code: Promise<unknown>): void {
  if (awaited.has(code)) return;
  awaited.add(code);
  // Not while something is being drawn.
  queueMicrotask(tellListeners);
  const end = () => {
    awaited.delete(code);
    tellListeners();
  };
  code.then(end, end);
}

/** Whether something waits for its code to be drawn. */
export const useIsLoadingCode = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => awaited.size > 0,
  );

/**
 * A component whose code is loaded when it is first shown. Unlike React's own `lazy`, it can be
 * tried again after a failure: see `retryChunks`.
 */
export function lazy<P extends object>(load: () => Promise<Loaded<P>>): LazyComponent<P> {
  let loading: Promise<Loaded<P>> | null = null;
  let isLoaded = false;
  const forget = () => {
    loading = null;
  };
  const code = () => {
    if (loading) return loading;
    const found = load().catch((cause: unknown) => {
      failed.add(forget);
      throw new ChunkError("A part of the dashboard could not be loaded.", { cause });
    });
    loading = found;
    // React draws at once what is marked so; any other promise, even a kept one, waits for a turn.
    const settle = (value: Loaded<P>) => {
      isLoaded = true;
      Object.assign(found, { status: "fulfilled", value });
    };
    found.then(settle, () => undefined);
    return found;
  };
  function Lazy(props: P) {
    const found = code();
    if (!isLoaded) watch(found);
    return createElement(use(found).default, props);
  }
  return Object.assign(Lazy, {
    preload: () => {
      code().catch(() => undefined);
    },
  });
}

/**
 * A component that floats above the page, such as a menu: its code is loaded when it first opens,
 * and the page stays in sight until then. Afterwards it stays, to close as it opened.
 */
export function floating<P extends { open: boolean }>(
  load: () => Promise<Loaded<P>>,
): LazyComponent<P> {
  const Part = lazy(load);
  function Floating(props: P) {
    const [isNeeded, setNeeded] = useState(props.open);
    if (props.open && !isNeeded) setNeeded(true);
    return isNeeded && createElement(Suspense, { fallback: null }, createElement(Part, props));
  }
  return Object.assign(Floating, { preload: Part.preload });
}

/** Lets everything that could not be loaded be loaded again when it is next shown. */
export function retryChunks(): void {
  failed.forEach((forget) => forget());
  failed.clear();
}
