/** Opening a license: validate, take the seat that its model needs, read its meter. */

import type { LicenseCore } from "./core.js";
import type { LicetError } from "./errors.js";
import { requiredKey } from "./fileCheck.js";
import { type Traits, traitsOf } from "./models.js";
import { OpenLicense, type OpenOptions, type Opens } from "./openLicense.js";
import { files, metering, seats } from "./parts.js";
import {
  ActivationRequiredError,
  ApprovalPendingError,
  DeviceBlockedError,
  DeviceProofRequiredError,
  HardwareMismatchError,
  LicenseRefusedError,
  OnlineRequiredError,
  RequestRefusedError,
} from "./refusals.js";
import type { LicenseResult, SeatKind } from "./result.js";
import { NO_RETRIES } from "./retries.js";
import type { Claimed, MakeSession } from "./seat.js";
import { type Asks, requestVerdict } from "./server.js";
import type { SessionOptions } from "./session.js";
import type { LicenseStatus } from "./status.js";
import { validate } from "./validation.js";
import type { Watch, WatchOptions } from "./watch.js";

const ERRORS: Readonly<Partial<Record<LicenseStatus, typeof RequestRefusedError>>> = {
  ActivationRequired: ActivationRequiredError,
  DeviceBlocked: DeviceBlockedError,
  DeviceProofRequired: DeviceProofRequiredError,
  HardwareMismatch: HardwareMismatchError,
  PendingApproval: ApprovalPendingError,
};

/**
 * Validates the license and takes what its model needs. A failure leaves no session open.
 *
 * A first start does so in one request, but for a session and a balance. What its answer leaves
 * open, as that of an older server does, is asked for in requests of its own.
 *
 * @throws RequestRefusedError The license may not be used, or a seat was refused.
 * @throws OnlineRequiredError The license needs the server, which could not be asked.
 */
export async function openLicense<Open extends OpenLicense>(
  core: LicenseCore,
  make: MakeSession,
  watch: (since: LicenseResult, onChange: WatchOptions["onChange"]) => Watch,
  { onChange, ...given }: OpenOptions,
  kind: Opens<Open> = OpenLicense as unknown as Opens<Open>,
): Promise<Open> {
  const options: SessionOptions = {
    ...given,
    onLost: async (error) => {
      await learnReason(core, error);
      return given.onLost?.(error);
    },
  };
  const first = await validate(core, false, (key) => firstRequest(core, key));
  const wantsDevice = first.status === "ActivationRequired" && first.source === "server";
  if (!first.valid && !wantsDevice) throw errorForResult(first);
  const traits = readTraits(first);
  const claimed = await claim(core, traits.seatKind, first, make, options);
  try {
    const result = first.valid ? first : await validate(core);
    if (!result.valid) throw errorForResult(result);
    const metered = traits.metered && result.source === "server";
    const balance = metered ? await (await metering()).readBalance(core) : null;
    const watching = onChange === undefined ? null : watch(result, onChange);
    return new kind(core, { result, traits, ...claimed, balance, watch: watching });
  } catch (error) {
    await claimed.session?.close();
    throw error;
  }
}

/** Asks for the signed reason of a refusal, so that the open license shows it. */
async function learnReason(core: LicenseCore, error: LicetError): Promise<void> {
  if (!(error instanceof RequestRefusedError) || error.httpStatus === 0) return;
  const retries = NO_RETRIES;
  const ask = async () => requestVerdict(core, await requiredKey(core), { retries });
  await core.withKey("use", ask).catch(() => undefined);
}

/** The error for a result that is not valid, with its message and cause. */
export function errorForResult(result: LicenseResult): LicetError {
  const unasked = result.status === "RefreshRequired" && result.cause !== null;
  if (unasked || result.status === "OnlineRequired") return new OnlineRequiredError(result);
  const kind = ERRORS[result.status] ?? LicenseRefusedError;
  const error = new kind(result.message, {
    httpStatus: result.source === "server" ? 200 : 0,
    errorCode: result.status,
    requestId: result.requestId,
    cause: result.cause ?? undefined,
    hint:
      result.status === "TestLicense"
        ? "The application's own tests accept licenses of Test products by testMode: true."
        : undefined,
  });
  error.result = result;
  return error;
}

/** The device's seat and license.bin, unless this device takes no seat that lasts. */
async function firstRequest(core: LicenseCore, key: string): Promise<Asks> {
  const [{ takesSession }, { wantsPlainFile }] = await Promise.all([seats(), files()]);
  if (await takesSession(core)) return {};
  const file = (await wantsPlainFile(core, key)) || undefined;
  return { activate: true, file, os: core.platform.operatingSystem() };
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
  const unasked = result.cause !== null && result.leaseEndsAt === null;
  if (kind === "Session" && unasked) throw new OnlineRequiredError(result);
  const { claimFor } = await seats();
  return claimFor(kind, core, make, options);
}

/** Whether this device holds its seat, by the verdict or by a file that names the device. */
function isHeld({ valid, source, license }: LicenseResult): boolean {
  return valid && (source === "file" || license?.seat?.held === true);
}
