/**
 * The daily check of Offline licenses in the background, so that a revocation arrives.
 *
 * The time of the next check is stored on this machine before the request is sent, so neither a
 * restart nor a failure makes the SDK ask again soon. Failures are not reported.
 */

import type { LicenseCore } from "./core.js";
import { keyHash, readKey } from "./keys.js";
import { files } from "./parts.js";
import type { LicenseResult } from "./result.js";
import { checkIsDue } from "./state.js";
import { waitAtMost } from "./time.js";

const CLOSE_TIMEOUT_SECONDS = 2;

export class DailyCheck {
  #running: Promise<void> | null = null;

  constructor(private readonly core: LicenseCore) {}

  /** Starts a check if one is due and none is running. Does not wait for it. */
  startIfDue(result: LicenseResult): void {
    if (!this.#concerns(result) || this.#running !== null) return;
    this.#running = this.#check(result)
      .catch(() => undefined)
      .finally(() => (this.#running = null));
  }

  /** Lets running checks finish, for at most two seconds. */
  async close(): Promise<void> {
    const running = [this.#running, ...this.core.running].filter((work) => work !== null);
    if (running.length > 0) await waitAtMost(CLOSE_TIMEOUT_SECONDS, Promise.all(running));
  }

  /** Whether a license was validated by its file alone although there is a server. */
  #concerns({ valid, source, cause, license }: LicenseResult): boolean {
    const alone = valid && source === "file" && cause === null;
    return alone && license?.activationMode === "Offline" && this.core.hasServer;
  }

  async #check({ license }: LicenseResult): Promise<void> {
    const { core } = this;
    const own = core.askingKey ?? (license?.key == null ? null : readKey(license.key));
    const { seen } = await core.store();
    if (own === null || !checkIsDue(seen, await keyHash(own), core.read().now)) return;
    const { recheck } = await files();
    await recheck(core);
  }
}
