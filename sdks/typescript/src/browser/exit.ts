/** Releases seats when the page goes away, and takes them again if it is restored. */

import type { ExitTarget } from "../core/platform.js";

/** Watches one session; returns a function that ends this. */
export function watchPage(target: ExitTarget): () => void {
  const leave = () => {
    for (const { url, headers, body } of target.lastRequest()) {
      // The browser sends it although the page is gone.
      void fetch(url, { method: "POST", headers, body, keepalive: true }).catch(() => undefined);
    }
  };
  const restore = ({ persisted }: PageTransitionEvent) => {
    if (persisted) target.resume();
  };
  addEventListener("pagehide", leave);
  addEventListener("pageshow", restore);
  return () => {
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", restore);
  };
}
