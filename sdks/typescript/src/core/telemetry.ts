/**
 * Telemetry: usage events sent to the vendor, off by default.
 *
 * It never blocks the application. Events that cannot be sent are retried later; when too many are
 * queued, the oldest are dropped.
 */

import { call } from "./api.js";
import { utf8 } from "./bytes.js";
import type { LicenseCore } from "./core.js";
import { LicetError, ServerFaultError } from "./errors.js";
import { isTransient, NO_RETRIES } from "./retries.js";
import { sleep, waitAtMost } from "./time.js";

const MAX_QUEUED = 1000;
const MAX_BATCH = 100;
/** Of the 64 kB of a request; the license key and the hardware ID take the rest. */
const MAX_BATCH_BYTES = 62 * 1024;
const SEND_INTERVAL_SECONDS = 10;
const CLOSE_TIMEOUT_SECONDS = 2;
const MAX_PAUSE_SECONDS = 3600;
const MAX_NUMBER = 1e18;

interface TelemetryEvent {
  readonly name: string;
  readonly occurredAt: string;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** Sends events in the background while there are any. */
export class Telemetry {
  #queue: TelemetryEvent[] = [];
  #sending: Promise<void> | null = null;
  #closing = new AbortController();
  #batchReady = new AbortController();

  constructor(private readonly core: LicenseCore) {}

  /** Queues an event of this time. */
  track(name: string, properties: Readonly<Record<string, unknown>>, at: number): void {
    const event = this.#closing.signal.aborted ? null : makeEvent(name, properties, at);
    if (event === null) return;
    this.#queue = [...this.#queue, event].slice(-MAX_QUEUED);
    if (this.#queue.length >= MAX_BATCH) this.#batchReady.abort();
    this.#sending ??= this.#run().finally(() => (this.#sending = null));
  }

  /** Sends the queued events, for at most two seconds. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#batchReady.abort();
    if (this.#sending !== null) await waitAtMost(CLOSE_TIMEOUT_SECONDS, this.#sending);
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await sleep(SEND_INTERVAL_SECONDS, this.#batchReady.signal);
      if (!this.#closing.signal.aborted) this.#batchReady = new AbortController();
      const pause = await this.#send().catch(() => SEND_INTERVAL_SECONDS);
      if (pause !== null && this.#closing.signal.aborted) return;
      if (pause !== null) await sleep(pause, this.#closing.signal);
    }
  }

  /** `null` when the queue is empty, or the seconds to wait before trying again. */
  async #send(): Promise<number | null> {
    const { core } = this;
    for (;;) {
      const events = this.#takeBatch();
      if (events.length === 0) return null;
      const licenseKey = await core.withKey("look", () => Promise.resolve(core.config.normalKey));
      const fields = { licenseKey, hardwareId: await core.hardwareId(), events };
      try {
        await call(core, "/telemetry", fields, { success: [202], retries: NO_RETRIES });
      } catch (error) {
        if (!(error instanceof LicetError)) throw error;
        if (!isTransient(error)) continue; // the server refuses them
        this.#queue = [...events, ...this.#queue].slice(-MAX_QUEUED);
        const asked = error instanceof ServerFaultError ? (error.retryAfter ?? 0) : 0;
        return Math.min(Math.max(asked, SEND_INTERVAL_SECONDS), MAX_PAUSE_SECONDS);
      }
    }
  }

  /** Removes and returns the oldest events that one request may contain. */
  #takeBatch(): TelemetryEvent[] {
    const batch: TelemetryEvent[] = [];
    let room = MAX_BATCH_BYTES;
    for (let event = this.#queue[0]; event !== undefined; event = this.#queue[0]) {
      const size = utf8(JSON.stringify(event)).length + 1;
      const fits = size <= room && batch.length < MAX_BATCH;
      if (!fits && size <= MAX_BATCH_BYTES) break;
      this.#queue.shift();
      if (!fits) continue; // too large for any request
      room -= size;
      batch.push(event);
    }
    return batch;
  }
}

/** An event that the server accepts: truncates long values, omits what has none. */
function makeEvent(
  name: string,
  properties: Readonly<Record<string, unknown>>,
  at: number,
): TelemetryEvent | null {
  const shown = clean(name).trim().slice(0, 100);
  if (shown === "") return null;
  const pairs = Object.entries(properties)
    .filter(([key, value]) => clean(key) !== "" && value != null)
    .map(([key, value]) => [clean(key).slice(0, 50), propertyValue(value)] as const);
  return {
    name: shown,
    occurredAt: new Date(at).toISOString(),
    properties: Object.fromEntries(pairs.slice(0, 20)),
  };
}

function propertyValue(value: unknown): string | number | boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" && Math.abs(value) < MAX_NUMBER) return value;
  return clean(String(value)).slice(0, 500);
}

function clean(text: string): string {
  return text.replaceAll("\0", "");
}
