/** What sessions need of a page: an instance ID for each tab, and a request when the page goes away. */

import { randomHex } from "../core/bytes.js";
import { unstored } from "../core/liveSession.js";
import type { ExitTarget, Instance } from "../core/platform.js";
import { storedOr, writeValue } from "./storage.js";

/** An instance ID for this tab and license key, reused by the next tab that takes its place. */
export async function acquireInstance(folder: string, label: string): Promise<Instance> {
  for (let number = 1; number <= 64 && "locks" in navigator; number += 1) {
    const name = `licet-instance-${folder}${label}-${number}`;
    const release = await tryLock(name);
    if (release === null) continue;
    const value = await storedOr(name, randomHex(16)).catch(() => null);
    const renew = async () => {
      const created = randomHex(16);
      await writeValue(name, created).catch(() => undefined);
      return created;
    };
    return { value: isInstance(value) ? value : randomHex(16), renew, release };
  }
  return unstored();
}

function isInstance(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

/** Takes a lock that the browser releases with the tab; `null` if another tab holds it. */
function tryLock(name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      lock === null ? resolve(null) : new Promise<void>((release) => resolve(release)),
    );
    held.catch(() => resolve(null));
  });
}

/**
 * Releases the seat when the page goes away, and takes it again if the page is restored; returns a
 * function that ends this.
 */
export function watchExit(target: ExitTarget): () => void {
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
