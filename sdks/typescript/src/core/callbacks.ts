/** Calling the application back. */

import type { LicenseCore } from "./core.js";

/** Calls the application. What it throws, or rejects with, is reported and stops nothing. */
export function inBackground(core: LicenseCore, callback: () => unknown): void {
  Promise.resolve()
    .then(callback)
    .catch((error: unknown) => core.platform.report(error));
}
