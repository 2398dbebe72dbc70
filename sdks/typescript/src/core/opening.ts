/** Opening a license: validate, take the seat that its model needs, read its meter. */

import { activateDevice } from "./activation.js";
import type { LicenseCore } from "./core.js";
import { errorForResult } from "./errorCodes.js";
import { type Balance, readBalance } from "./metering.js";
import { type Traits, traitsOf } from "./models.js";
import type { LicenseResult } from "./result.js";
import { type Claimed, claimSeat, type MakeSession, NOTHING_CLAIMED } from "./seat.js";
import type { SessionOptions } from "./session.js";
import { validate } from "./validation.js";

/** The result of the validation, and what was claimed. */
export interface Opened extends Claimed {
  readonly result: LicenseResult;
  readonly traits: Traits;
  /** Of a metered license; `null` without the server. */
  readonly balance: Balance | null;
}

/**
 * Validates the license and takes what its model needs. A failure leaves no session open.
 *
 * @throws RequestRefusedError The license may not be used, or a seat was refused.
 * @throws LicetError What the model needs requires the server, which could not be asked.
 */
export async function openLicense(
  core: LicenseCore,
  make: MakeSession,
  options: SessionOptions,
): Promise<Opened> {
  const first = await validate(core);
  const wantsDevice = first.status === "ActivationRequired" && first.source === "server";
  if (!first.valid && !wantsDevice) throw errorForResult(first);
  const traits = readTraits(first);
  const claimed = await claim(core, traits, first, make, options);
  try {
    const result = first.valid ? first : await validate(core);
    if (!result.valid) throw errorForResult(result);
    const metered = traits.metered && result.source === "server";
    return { result, traits, ...claimed, balance: metered ? await readBalance(core) : null };
  } catch (error) {
    await claimed.session?.close();
    throw error;
  }
}

function readTraits({ license }: LicenseResult): Traits {
  // Without terms, the server wants an activated device and says no more.
  if (license === null) return { seatKind: "Device", metered: false };
  return traitsOf(license.type, license.seat?.kind);
}

async function claim(
  core: LicenseCore,
  traits: Traits,
  result: LicenseResult,
  make: MakeSession,
  options: SessionOptions,
): Promise<Claimed> {
  switch (traits.seatKind) {
    case "None":
      return NOTHING_CLAIMED;
    case "Session":
      // The server has just been asked in vain, and only it can give a session.
      if (result.cause !== null) throw result.cause;
      return { activation: null, session: await make(options).open() };
    case "Device":
      return isHeld(result) ? NOTHING_CLAIMED : claimSeat(core, make, options);
    case "Machine":
      if (isHeld(result)) return NOTHING_CLAIMED;
      return { activation: await activateDevice(core), session: null };
  }
}

/** Whether this device holds its seat, by the verdict or by a file that names the device. */
function isHeld({ valid, source, license }: LicenseResult): boolean {
  return valid && (source === "file" || license?.seat?.held === true);
}
