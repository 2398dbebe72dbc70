/** Taking usage events, for the part of the SDK that sends them. */

import type { LicenseCore } from "./core.js";
import { telemetry } from "./parts.js";
import type { Telemetry } from "./telemetry.js";

export class Tracker {
  #telemetry: Promise<Telemetry | null> | null = null;
  #closed = false;

  constructor(private readonly core: LicenseCore) {}

  /** Takes an event; does nothing unless telemetry is on. Never throws. */
  track(name: string, properties: Readonly<Record<string, unknown>>): void {
    const { core } = this;
    if (!core.config.telemetry || !core.hasServer || this.#closed) return;
    try {
      const [at, taken] = [core.read().now, { ...properties }];
      this.#telemetry ??= this.#load();
      void this.#telemetry.then((loaded) => loaded?.track(name, taken, at)).catch(() => undefined);
    } catch {
      // What cannot be read is not sent.
    }
  }

  /** Sends the events that were taken, for at most two seconds. */
  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#telemetry)?.close();
  }

  async #load(): Promise<Telemetry | null> {
    try {
      const { Telemetry } = await telemetry();
      return new Telemetry(this.core);
    } catch {
      // The next event tries again.
      this.#telemetry = null;
      return null;
    }
  }
}
