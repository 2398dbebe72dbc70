/** A seat, by activation or by session. */

import { type Activation, activateDevice, deactivateQuietly } from "./activation.js";
import type { LicenseCore } from "./core.js";
import { ActivationRequiredError } from "./errors.js";
import type { Session, SessionOptions } from "./session.js";

/** What was claimed for a seat; either may be missing. */
export interface Claimed {
  readonly activation: Activation | null;
  readonly session: Session | null;
}

/** Creates a session of a client, with what runs after it. */
export type MakeSession = (options: SessionOptions, cleanup?: () => Promise<void>) => Session;

export const NOTHING_CLAIMED: Claimed = { activation: null, session: null };

/** Claims the seat of a device: short-lived machines would leave activations behind. */
export async function claimSeat(
  core: LicenseCore,
  make: MakeSession,
  options: SessionOptions,
): Promise<Claimed> {
  const { seatMode } = core.config;
  const shortLived = seatMode === "Auto" && (await core.platform.isShortLived(core.config));
  if (seatMode === "Session" || shortLived) return claimSession(core, make, options);
  return { activation: await activateDevice(core), session: null };
}

async function claimSession(
  core: LicenseCore,
  make: MakeSession,
  options: SessionOptions,
): Promise<Claimed> {
  try {
    return { activation: null, session: await make(options).open() };
  } catch (error) {
    if (!(error instanceof ActivationRequiredError)) throw error;
  }
  const activation = await activateDevice(core);
  const release = () => deactivateQuietly(core);
  try {
    return { activation, session: await make(options, release).open() };
  } catch (error) {
    await release();
    throw error;
  }
}

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
