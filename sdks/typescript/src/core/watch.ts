/** A background re-check of the license, with a callback when the application has to react. */

import { jitter } from "./bytes.js";
import { inBackground } from "./callbacks.js";
import type { LicenseCore } from "./core.js";
import { LicetError } from "./errors.js";
import type { LicenseResult } from "./result.js";
import { HOUR, SECOND, sleep, waitAtMost } from "./time.js";

const DEFAULT_SECONDS = HOUR / SECOND;
const CLOSE_TIMEOUT_SECONDS = 2;

/** How often to check, and who is told. */
export interface WatchOptions {
  /** Called with the result, and the one before, whenever status, terms or warnings differ. */
  readonly onChange: (result: LicenseResult, previous: LicenseResult | null) => unknown;
  /** Seconds between two checks; an hour by default. */
  readonly everySeconds?: number | undefined;
  /** The result that the application knows already; without one the first check calls back. */
  readonly since?: LicenseResult | undefined;
}

/** A running re-check. */
export class Watch {
  #ended = new AbortController();
  #running: Promise<void>;
  #last: LicenseResult | null;

  constructor(
    private readonly core: LicenseCore,
    private readonly check: () => Promise<LicenseResult>,
    private readonly options: WatchOptions,
  ) {
    const { everySeconds = DEFAULT_SECONDS, since = null } = options;
    if (!(everySeconds > 0)) throw new RangeError("everySeconds must be more than 0.");
    this.#last = since;
    core.followers.add(this.#tell);
    this.#running = this.#run(everySeconds, since === null);
  }

  /** The result of the last check; `null` before the first. */
  get result(): LicenseResult | null {
    return this.#last;
  }

  /** Whether it was stopped. */
  get stopped(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Ends the re-checks. Does not wait for a running one. */
  stop(): void {
    this.core.followers.delete(this.#tell);
    this.#ended.abort();
  }

  /** Ends the re-checks, and lets a running one finish, for at most two seconds. */
  async close(): Promise<void> {
    this.stop();
    await waitAtMost(CLOSE_TIMEOUT_SECONDS, this.#running);
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  async #run(seconds: number, atOnce: boolean): Promise<void> {
    const { signal } = this.#ended;
    if (atOnce) await this.#checkOnce();
    for (;;) {
      // Many copies of an application that started together must not ask together.
      await sleep(seconds * (0.9 + 0.2 * jitter()), signal);
      if (signal.aborted) return;
      await this.#checkOnce();
    }
  }

  async #checkOnce(): Promise<void> {
    try {
      await this.check();
      this.#tell();
    } catch (error) {
      // license.bin cannot be read for the moment, or the client was closed.
      if (!(error instanceof LicetError)) this.stop();
    }
  }

  /** Calls back with what the client has learned, in a check or in another way. */
  readonly #tell = (): void => {
    const result = this.core.latest;
    if (result === null) return;
    const previous = this.#last;
    this.#last = result;
    if (this.stopped || facts(result) === facts(previous)) return;
    inBackground(this.core, () => this.options.onChange(result, previous));
  };
}

/** What the application reacts to. */
function facts(result: LicenseResult | null): string | null {
  if (result === null) return null;
  const { status, features, license, warnings } = result;
  const seat = license?.seat ?? null;
  return JSON.stringify([
    status,
    features,
    license?.entitlements,
    license?.expirationDate,
    warnings,
    seat?.held,
  ]);
}
