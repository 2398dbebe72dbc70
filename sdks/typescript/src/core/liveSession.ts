/** Open sessions: seats that are held while the application runs, by heartbeats. */

import { asLicetError } from "./api.js";
import { jitter, randomHex } from "./bytes.js";
import { inBackground } from "./callbacks.js";
import type { LicenseCore } from "./core.js";
import type { LicetError } from "./errors.js";
import { requiredKey } from "./fileCheck.js";
import { Heartbeat, type SessionEvent } from "./heartbeat.js";
import { type SessionGrant, SessionCalls } from "./sessionCalls.js";
import type { ExitTarget, Instance, SessionPlatform } from "./platform.js";
import { NO_RETRIES } from "./retries.js";
import { monotonic, sleep } from "./time.js";
import type { TransportRequest } from "./transport.js";

const DISCONNECT_TIMEOUT_SECONDS = 2;
/** Servers take a proof for five minutes. */
const FRESH_SECONDS = 240;

/** What an open session tells its owner, and the instance that it is for. */
export interface SessionOwner {
  readonly instanceId: string | undefined;
  readonly onLost: ((error: LicetError) => unknown) | undefined;
  readonly onRegained: () => unknown;
  /** Called when the session has ended; the end waits for it. */
  readonly onEnd: () => Promise<void>;
}

/** Claims a seat and keeps it. */
export function openSession(core: LicenseCore, owner: SessionOwner): Promise<LiveSession> {
  return core.withKey("use", () => openNow(core, owner));
}

async function openNow(core: LicenseCore, owner: SessionOwner): Promise<LiveSession> {
  const key = await requiredKey(core);
  const { acquireInstance, watchExit } = await core.platform.sessions();
  const instance =
    owner.instanceId === undefined
      ? await acquireInstance(core.config.stateFolder, await core.label())
      : unstored(owner.instanceId);
  try {
    const calls = new SessionCalls(core, key, await core.hardwareId(), instance.value);
    const sent = monotonic();
    const heartbeat = new Heartbeat(await calls.connect(), sent, jitter());
    const live = new LiveSession(core, calls, heartbeat, instance, owner);
    await live.start(watchExit);
    return live;
  } catch (error) {
    instance.release();
    throw error;
  }
}

/** An instance ID that a restart does not find again. */
export function unstored(value = randomHex(16)): Instance {
  return { value, renew: () => Promise.resolve(randomHex(16)), release: () => undefined };
}

/** A session that is open, until its seat is released. */
export class LiveSession implements ExitTarget {
  readonly #ended = new AbortController();
  #unwatch: () => void = () => undefined;
  /** Ends the present pause between two calls. */
  #wake: () => void = () => undefined;
  /** The request that releases the seat. It is signed ahead, because an exit cannot wait. */
  #last: Omit<TransportRequest, "timeoutSeconds"> | null = null;

  constructor(
    private readonly core: LicenseCore,
    private readonly calls: SessionCalls,
    private readonly heartbeat: Heartbeat,
    private readonly instance: Instance,
    private readonly owner: SessionOwner,
  ) {}

  get grant(): SessionGrant {
    return this.heartbeat.grant;
  }

  /** Whether the seat has not been released. It may be lost nevertheless. */
  get isOpen(): boolean {
    return !this.#ended.signal.aborted;
  }

  get alive(): boolean {
    return this.isOpen && this.heartbeat.holds(monotonic());
  }

  get instanceId(): string {
    return this.calls.instanceId;
  }

  async start(watchExit: SessionPlatform["watchExit"]): Promise<void> {
    await this.#signLast();
    this.#unwatch = watchExit(this, this.core.config.handleSignals);
    void this.#keepAlive();
  }

  /** Ends the heartbeats; the server keeps the seat. */
  leave(): Promise<void> {
    this.heartbeat.needsDisconnect = false;
    return this.release();
  }

  async release(): Promise<void> {
    if (!this.isOpen) return;
    this.#ended.abort();
    this.#unwatch();
    try {
      if (this.heartbeat.needsDisconnect) {
        await this.calls.disconnect(this.grant.sessionId, DISCONNECT_TIMEOUT_SECONDS);
      }
    } catch {
      // The server releases the seat when it hears nothing.
    } finally {
      this.instance.release();
      await this.owner.onEnd();
    }
  }

  lastRequest(): ReturnType<ExitTarget["lastRequest"]> {
    if (!this.isOpen || !this.heartbeat.needsDisconnect || this.#last === null) return [];
    const { url, headers, body } = this.#last;
    return [{ url, headers: { ...headers }, body: body ?? "" }];
  }

  resume(): void {
    this.heartbeat.reconnect(monotonic());
    this.#wake();
  }

  async #keepAlive(): Promise<void> {
    const { heartbeat } = this;
    const isOver = () => !this.isOpen;
    while (!isOver()) {
      const pause = new AbortController();
      this.#wake = () => pause.abort();
      const either = AbortSignal.any([this.#ended.signal, pause.signal]);
      const left = Math.max(0, heartbeat.due - monotonic());
      await sleep(Math.min(left, FRESH_SECONDS), either);
      if (isOver()) return;
      const now = monotonic();
      const expired = heartbeat.checkExpiry(now);
      if (expired !== null) this.#notify(expired);
      else if (heartbeat.due <= now) await this.#callOnce();
      await this.#signLast();
    }
  }

  async #signLast(): Promise<void> {
    this.#last = await this.calls.lastRequest(this.grant.sessionId);
  }

  async #callOnce(): Promise<void> {
    const { calls, heartbeat } = this;
    const sent = monotonic();
    const timeoutSeconds = heartbeat.callTimeout(sent, this.core.config.timeoutSeconds);
    const outcome = await (
      heartbeat.call === "connect"
        ? calls.connect({ retries: NO_RETRIES, timeoutSeconds })
        : calls.heartbeat(heartbeat.grant, timeoutSeconds)
    ).catch(asLicetError);
    if (this.isOpen) this.#notify(heartbeat.record(outcome, sent, monotonic(), jitter()));
    else await this.#disown(outcome);
    // The ID is left to the copy that has taken it.
    if (outcome === heartbeat.taken) calls.instanceId = await this.instance.renew();
  }

  /** A seat that was granted while the session was being closed is given back. */
  async #disown(outcome: SessionGrant | LicetError): Promise<void> {
    if (outcome instanceof Error || outcome.sessionId === this.grant.sessionId) return;
    const { sessionId } = outcome;
    await this.calls.disconnect(sessionId, DISCONNECT_TIMEOUT_SECONDS).catch(() => undefined);
  }

  #notify(event: SessionEvent): void {
    if (event === null) return;
    const { onLost, onRegained } = this.owner;
    inBackground(this.core, () => (event === "regained" ? onRegained() : onLost?.(event.lost)));
  }
}
