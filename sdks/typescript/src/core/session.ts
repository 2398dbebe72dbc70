/** Live sessions, as the application sees them. */

import type { LicenseCore } from "./core.js";
import type { LicetError } from "./errors.js";
import type { LiveSession } from "./liveSession.js";
import { sessions } from "./parts.js";

/** Which copy of the application holds a seat, and who is told of its loss. */
export interface SessionOptions {
  /** Identifies this running copy of the application; by default one that a restart finds again. */
  readonly instanceId?: string | undefined;
  /** Called once with the error when the seat is lost. The session keeps trying to reconnect. */
  readonly onLost?: ((error: LicetError) => unknown) | undefined;
  /** Called once with the session when it holds a seat again. */
  readonly onRegained?: ((session: Session) => unknown) | undefined;
}

/** A seat that is held while the session is open. Heartbeats are sent in the background. */
export class Session {
  protected live: LiveSession | null = null;
  #opening: Promise<void> | null = null;

  /** @param cleanup Runs after the seat has been released. */
  constructor(
    protected readonly core: LicenseCore,
    private readonly options: SessionOptions = {},
    private readonly registry: Set<Session> = new Set(),
    private readonly cleanup: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** The session's ID; empty before the session is opened. Reconnecting changes it. */
  get id(): string {
    return this.live?.grant.sessionId ?? "";
  }

  /** Whether the session holds its seat, as far as the client knows. */
  get alive(): boolean {
    return this.live?.alive ?? false;
  }

  /** When the seat expires without another heartbeat, by the server's clock. */
  get expiresAt(): Date | null {
    return this.live?.grant.expiresAt ?? null;
  }

  /** Seats in use when the session connected; `null` if they are not counted. */
  get seatsUsed(): number | null {
    return this.live?.grant.seatsUsed ?? null;
  }

  /** The license's seat cap; `null` if there is none. */
  get seatsTotal(): number | null {
    return this.live?.grant.seatsTotal ?? null;
  }

  /**
   * Claims a seat and starts heartbeats. Does nothing if the session is open.
   *
   * @throws RequestRefusedError The server refused, for the reason named by the subclass.
   * @throws NetworkError The server did not respond.
   */
  async open(): Promise<this> {
    if (this.live?.isOpen !== true) {
      this.#opening ??= this.#start().finally(() => (this.#opening = null));
      await this.#opening;
    }
    return this;
  }

  async #start(): Promise<void> {
    const { openSession } = await sessions();
    const { onLost, onRegained } = this.options;
    this.live = await openSession(this.core, {
      instanceId: this.options.instanceId,
      onLost,
      onRegained: () => onRegained?.(this),
      onEnd: () => {
        // It may have been opened again in the meantime.
        if (this.live?.isOpen !== true) this.registry.delete(this);
        return this.cleanup();
      },
    });
    this.registry.add(this);
  }

  /** Releases the seat. Takes two seconds at most, never rejects, and may be repeated. */
  async close(): Promise<void> {
    await this.live?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
