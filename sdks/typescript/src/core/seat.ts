/** A seat, by activation or by session. */

import type { Activation } from "./activation.js";
import type { Session, SessionOptions } from "./session.js";

/** What was claimed for a seat; either may be missing. */
export interface Claimed {
  readonly activation: Activation | null;
  readonly session: Session | null;
}

/** Creates a session of a client, with what runs after it. */
export type MakeSession = (options: SessionOptions, cleanup?: () => Promise<void>) => Session;

/** A seat of this device, until it is closed. */
export class Seat {
  constructor(private readonly claimed: Claimed) {}

  get activation(): Activation | null {
    return this.claimed.activation;
  }

  get session(): Session | null {
    return this.claimed.session;
  }

  /** Whether the seat is held, as far as the client knows. */
  get alive(): boolean {
    return this.session?.alive ?? this.activation?.active ?? false;
  }

  /** Releases what was claimed for a session. An activated device keeps its seat. */
  async close(): Promise<void> {
    await this.session?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
