type OnPop = (event: PopStateEvent) => void;

let onPop: OnPop | null = null;

/**
 * Hears of steps through the history before the router does. A browser tells the listeners of a
 * window in the order in which they came, so this is called before the router begins.
 */
export function watchHistory(): void {
  window.addEventListener("popstate", (event) => onPop?.(event));
}

/** Lets a page hear of those steps first; null to let them pass. */
export function hearFirst(listener: OnPop | null): void {
  onPop = listener;
}
