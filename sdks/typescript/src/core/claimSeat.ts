/** Claiming seats: that of a device, and what the model of an opened license needs. */

import { activateDevice, deactivateQuietly } from "./activation.js";
import type { LicenseCore } from "./core.js";
import { ActivationRequiredError } from "./refusals.js";
import type { SeatKind } from "./result.js";
import { type Claimed, type MakeSession, Seat } from "./seat.js";
import type { SessionOptions } from "./session.js";

export { activate, deactivate } from "./activation.js";

/** Claims the seat of a device and returns it for use. */
export async function takeSeat(
  core: LicenseCore,
  make: MakeSession,
  options: SessionOptions,
): Promise<Seat> {
  return new Seat(await claimSeat(core, make, options));
}

/** Whether the seat of a device is claimed by a session. */
export async function takesSession({ config, platform }: LicenseCore): Promise<boolean> {
  const { seatMode } = config;
  return seatMode === "Session" || (seatMode === "Auto" && (await platform.isShortLived(config)));
}

/** Claims the seat of a device: short-lived machines would leave activations behind. */
async function claimSeat(
  core: LicenseCore,
  make: MakeSession,
  options: SessionOptions,
): Promise<Claimed> {
  if (await takesSession(core)) return claimSession(core, make, options);
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

/** Claims the seat that the model of a license needs. */
export async function claimFor(
  kind: Exclude<SeatKind, "None">,
  core: LicenseCore,
  make: MakeSession,
  options: SessionOptions,
): Promise<Claimed> {
  switch (kind) {
    case "Session":
      return { activation: null, session: await make(options).open() };
    case "Device":
      return claimSeat(core, make, options);
    case "Machine":
      return { activation: await activateDevice(core), session: null };
  }
}
