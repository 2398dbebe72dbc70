/**
 * The daily check of Offline licenses in the background, so that a revocation arrives.
 *
 * The time of the next check is stored on this machine before the request is sent, so neither a
 * restart nor a failure makes the SDK ask again soon. Failures are not reported.
 */

import type { LicenseCore } from "./core.js";
import { requiredKey } from "./fileCheck.js";
import { keyHash, normalForm } from "./keys.js";
import { tryRefresh } from "./refresh.js";
import type { LicenseResult } from "./result.js";
import { NO_RETRIES } from "./retries.js";
import { requestVerdict } from "./server.js";
import { checkIsDue, withNextCheck } from "./state.js";
import { HOUR, sleep } from "./time.js";

const RETRY_INTERVAL = 6 * HOUR;
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

  /** Lets a running check finish, for at most two seconds. */
  async close(): Promise<void> {
    if (this.#running === null) return;
    const given = new AbortController();
    await Promise.race([this.#running, sleep(CLOSE_TIMEOUT_SECONDS, given.signal)]);
    given.abort();
  }

  /** Whether a license was validated by its file alone although there is a server. */
  #concerns({ valid, source, cause, license }: LicenseResult): boolean {
    const alone = valid && source === "file" && cause === null;
    return alone && license?.activationMode === "Offline" && this.core.hasServer;
  }

  async #check({ license }: LicenseResult): Promise<void> {
    const { core } = this;
    const own = core.config.normalKey ?? (license?.key == null ? null : normalForm(license.key));
    const store = await core.store();
    if (own === null || !checkIsDue(store.seen, await keyHash(own), core.read().now)) return;
    const key = await requiredKey(core);
    if (!(await this.#claim(await keyHash(key)))) return;
    // The verdict comes first because a refresh may take a seat again that the vendor has freed.
    const { result } = await requestVerdict(core, key, { retries: NO_RETRIES });
    if (result.valid) await tryRefresh(core, key);
  }

  /** Puts the check off, unless another process has done so since the state was last read. */
  async #claim(hash: string): Promise<boolean> {
    const { now } = this.core.read();
    let due = false;
    await (
      await this.core.store()
    ).update((old) => {
      due = checkIsDue(old, hash, now);
      return due ? withNextCheck(old, hash, now + RETRY_INTERVAL) : old;
    });
    return due;
  }
}
