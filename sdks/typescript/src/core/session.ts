/** Live sessions: seats that are held while the application runs, by heartbeats. */

import { asLicetError } from "./api.js";
import { jitter } from "./bytes.js";
import type { LicenseCore } from "./core.js";
import type { LicetError } from "./errors.js";
import { requiredKey } from "./fileCheck.js";
import { Heartbeat, type SessionEvent } from "./heartbeat.js";
import { type Lease, SessionCalls } from "./lease.js";
import type { ExitTarget, Instance } from "./platform.js";
import { NO_RETRIES } from "./retries.js";
import { monotonic, sleep } from "./time.js";

const DISCONNECT_TIMEOUT_SECONDS = 2;

export interface SessionOptions {
  /** Identifies this running copy of the application; by default one that a restart finds again. */
  readonly instanceId?: string | undefined;
  /** Called once with the error when the seat is lost. The session keeps trying to reconnect. */
  readonly onLost?: ((error: LicetError) => unknown) | undefined;
  /** Called once with the session when it holds a seat again. */
  readonly onRegained?: ((session: Session) => unknown) | undefined;
}

/** A session that is open: its seat, and what ends with it. */
interface Held {
  readonly calls: SessionCalls;
  readonly heartbeat: Heartbeat;
  readonly instance: Instance;
  readonly ended: AbortController;
  unwatch: () => void;
  /** Ends the present pause between two calls. */
  wake: () => void;
}

/** A seat that is held while the session is open. Heartbeats are sent in the background. */
export class Session implements ExitTarget {
  #held: Held | null = null;
  #last: Lease | null = null;
  #opening: Promise<void> | null = null;

  /** @param cleanup Runs after the seat has been released. */
  constructor(
    private readonly core: LicenseCore,
    private readonly options: SessionOptions = {},
    private readonly registry: Set<Session> = new Set(),
    private readonly cleanup: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** The session's ID; empty before the session is opened. Reconnecting changes it. */
  get id(): string {
    return this.#lease?.sessionId ?? "";
  }

  /** Whether the session holds its seat, as far as the client knows. */
  get alive(): boolean {
    return this.#held?.heartbeat.alive ?? false;
  }

  /** When the seat expires without another heartbeat, by the server's clock. */
  get expiresAt(): Date | null {
    return this.#lease?.expiresAt ?? null;
  }

  /** Seats in use when the session connected; `null` if they are not counted. */
  get seatsUsed(): number | null {
    return this.#lease?.seatsUsed ?? null;
  }

  /** The license's seat cap; `null` if there is none. */
  get seatsTotal(): number | null {
    return this.#lease?.seatsTotal ?? null;
  }

  get #lease(): Lease | null {
    return this.#held?.heartbeat.lease ?? this.#last;
  }

  /**
   * Claims a seat and starts heartbeats. Does nothing if the session is open.
   *
   * @throws RequestRefusedError The server refused, for the reason named by the subclass.
   * @throws NetworkError The server did not respond.
   */
  async open(): Promise<this> {
    if (this.#held === null) {
      this.#opening ??= this.#start().finally(() => (this.#opening = null));
      await this.#opening;
    }
    return this;
  }

  async #start(): Promise<void> {
    const { core, options } = this;
    const key = await requiredKey(core);
    const instance =
      options.instanceId === undefined
        ? await core.platform.acquireInstance(core.config.stateFolder)
        : { value: options.instanceId, release: () => undefined };
    const calls = new SessionCalls(core, key, await core.hardwareId(), instance.value);
    try {
      const sent = monotonic();
      const heartbeat = new Heartbeat(await calls.connect(), sent, jitter());
      const ended = new AbortController();
      const nothing = () => undefined;
      const held: Held = { calls, heartbeat, instance, ended, unwatch: nothing, wake: nothing };
      this.#held = held;
      this.registry.add(this);
      held.unwatch = core.platform.watchExit(this, core.config.handleSignals);
      void this.#keepAlive(held);
    } catch (error) {
      instance.release();
      throw error;
    }
  }

  /** Releases the seat. Takes two seconds at most, never rejects, and may be repeated. */
  async close(): Promise<void> {
    await this.release();
  }

  async release(): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    this.#last = held.heartbeat.lease;
    this.#held = null;
    this.registry.delete(this);
    held.ended.abort();
    held.unwatch();
    try {
      if (held.heartbeat.needsDisconnect) {
        await held.calls.disconnect(this.#last.sessionId, DISCONNECT_TIMEOUT_SECONDS);
      }
    } catch {
      // The server releases the seat when it hears nothing.
    } finally {
      held.instance.release();
      await this.cleanup();
    }
  }

  lastRequest(): ReturnType<ExitTarget["lastRequest"]> {
    const held = this.#held;
    if (held === null || !held.heartbeat.needsDisconnect) return [];
    const { url, headers, body } = held.calls.lastRequest(held.heartbeat.lease.sessionId);
    return [{ url, headers: { ...headers }, body: body ?? "" }];
  }

  resume(): void {
    this.#held?.heartbeat.reconnect(monotonic());
    this.#held?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #keepAlive(held: Held): Promise<void> {
    const { heartbeat, ended } = held;
    const isOver = () => ended.signal.aborted;
    while (!isOver()) {
      const pause = new AbortController();
      held.wake = () => pause.abort();
      const either = AbortSignal.any([ended.signal, pause.signal]);
      await sleep(Math.max(0, heartbeat.due - monotonic()), either);
      if (isOver()) return;
      const expired = heartbeat.checkExpiry(monotonic());
      if (expired === null) await this.#callOnce(held);
      else this.#notify(expired);
    }
  }

  async #callOnce(held: Held): Promise<void> {
    const { calls, heartbeat, ended } = held;
    const sent = monotonic();
    const timeoutSeconds = heartbeat.callTimeout(sent, this.core.config.timeoutSeconds);
    const outcome = await (
      heartbeat.call === "connect"
        ? calls.connect({ retries: NO_RETRIES, timeoutSeconds })
        : calls.heartbeat(heartbeat.lease, timeoutSeconds)
    ).catch(asLicetError);
    if (ended.signal.aborted) {
      await this.#disown(outcome, held);
      return;
    }
    this.#notify(heartbeat.record(outcome, sent, monotonic(), jitter()));
  }

  /** A seat that was granted while the session was being closed is given back. */
  async #disown(outcome: Lease | LicetError, { calls, heartbeat }: Held): Promise<void> {
    if (outcome instanceof Error || outcome.sessionId === heartbeat.lease.sessionId) return;
    await calls.disconnect(outcome.sessionId, DISCONNECT_TIMEOUT_SECONDS).catch(() => undefined);
  }

  #notify(event: SessionEvent): void {
    if (event === null) return;
    const { onLost, onRegained } = this.options;
    inBackground(this.core, () =>
      event === "regained" ? onRegained?.(this) : onLost?.(event.lost),
    );
  }
}

/** Calls the application. What it throws, or rejects with, is reported and stops nothing. */
export function inBackground(core: LicenseCore, callback: () => unknown): void {
  Promise.resolve()
    .then(callback)
    .catch((error: unknown) => core.platform.report(error));
}
