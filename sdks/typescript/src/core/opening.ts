/** Opening a license: validate, take the seat that its model needs, read its meter. */

import type { LicenseCore } from "./core.js";
import { type Traits, traitsOf } from "./models.js";
import { OpenLicense } from "./openLicense.js";
import { metering, seats } from "./parts.js";
import {
  ActivationRequiredError,
  ApprovalPendingError,
  DeviceBlockedError,
  HardwareMismatchError,
  LicenseRefusedError,
  type RequestRefusedError,
} from "./refusals.js";
import type { LicenseResult, SeatKind } from "./result.js";
import type { Claimed, MakeSession } from "./seat.js";
import type { SessionOptions } from "./session.js";
import type { LicenseStatus } from "./status.js";
import { validate } from "./validation.js";

const ERRORS: Readonly<Partial<Record<LicenseStatus, typeof RequestRefusedError>>> = {
  ActivationRequired: ActivationRequiredError,
  DeviceBlocked: DeviceBlockedError,
  HardwareMismatch: HardwareMismatchError,
  PendingApproval: ApprovalPendingError,
};

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
): Promise<OpenLicense> {
  const first = await validate(core);
  const wantsDevice = first.status === "ActivationRequired" && first.source === "server";
  if (!first.valid && !wantsDevice) throw errorForResult(first);
  const traits = readTraits(first);
  const claimed = await claim(core, traits.seatKind, first, make, options);
  try {
    const result = first.valid ? first : await validate(core);
    if (!result.valid) throw errorForResult(result);
    const metered = traits.metered && result.source === "server";
    const balance = metered ? await (await metering()).readBalance(core) : null;
    return new OpenLicense(core, { result, traits, ...claimed, balance });
  } catch (error) {
    await claimed.session?.close();
    throw error;
  }
}

/** The error for a result that is not valid, with its message and cause. */
export function errorForResult(result: LicenseResult): RequestRefusedError {
  const kind = ERRORS[result.status] ?? LicenseRefusedError;
  const error = new kind(result.message, {
    httpStatus: result.source === "server" ? 200 : 0,
    errorCode: result.status,
    requestId: result.requestId,
    cause: result.cause ?? undefined,
  });
  error.result = result;
  return error;
}

function readTraits({ license }: LicenseResult): Traits {
  // Without terms, the server wants an activated device and says no more.
  if (license === null) return { seatKind: "Device", metered: false };
  return traitsOf(license.type, license.seat?.kind);
}

async function claim(
  core: LicenseCore,
  kind: SeatKind,
  result: LicenseResult,
  make: MakeSession,
  options: SessionOptions,
): Promise<Claimed> {
  if (kind === "None" || (kind !== "Session" && isHeld(result))) {
    return { activation: null, session: null };
  }
  // The server has just been asked in vain, and only it can give a session.
  if (kind === "Session" && result.cause !== null) throw result.cause;
  const { claimFor } = await seats();
  return claimFor(kind, core, make, options);
}

/** Whether this device holds its seat, by the verdict or by a file that names the device. */
function isHeld({ valid, source, license }: LicenseResult): boolean {
  return valid && (source === "file" || license?.seat?.held === true);
}
