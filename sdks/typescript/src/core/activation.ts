/** Activations: seats that devices hold until they are deactivated. */

import { call, type Call } from "./api.js";
import { optionalInteger } from "./claims.js";
import { asLabel } from "./config.js";
import type { LicenseCore } from "./core.js";
import { LicetError } from "./errors.js";
import { requiredKey } from "./fileCheck.js";
import { opening } from "./parts.js";
import { ApprovalPendingError, RequestRefusedError } from "./refusals.js";
import { unexpectedReply } from "./reply.js";
import { NO_RETRIES } from "./retries.js";
import { MESSAGES } from "./startSentences.js";
import { asDate, parseTime } from "./time.js";

const ACTIVATIONS = "/activations";
const CURRENT = "/activations/current";
const QUIET: Call = { retries: NO_RETRIES, timeoutSeconds: 2 };

/** The activation of this device. Only an Active one holds a seat. */
export interface Activation {
  readonly id: string;
  /** Pending until the vendor approves the device; Unknown if a newer server sends another one. */
  readonly status: "Active" | "Pending" | "Unknown";
  readonly active: boolean;
  /** Seats in use; `null` if they are not counted. */
  readonly seatsUsed: number | null;
  /** The seat cap; `null` if there is none. */
  readonly seatsTotal: number | null;
  readonly activatedAt: Date | null;
}

/** How the vendor sees the device. */
export interface ActivateOptions {
  /** Shown to the vendor in place of the configured name. */
  readonly deviceName?: string | undefined;
  /** Strings shown to the vendor with the device. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Claims a seat for this device. Returns the existing activation if there is one. */
export function activate(core: LicenseCore, options: ActivateOptions = {}): Promise<Activation> {
  return core.withKey("use", () => activateNow(core, options));
}

async function activateNow(
  core: LicenseCore,
  { deviceName, metadata }: ActivateOptions,
): Promise<Activation> {
  if (core.latest?.status === "TestLicense") throw (await opening()).errorForResult(core.latest);
  const fields = {
    licenseKey: await requiredKey(core),
    hardwareId: await core.hardwareId(),
    deviceKeyLevel: await core.proofs.level(),
    components: await core.components?.(),
    ...core.credentials,
    deviceName: asLabel(deviceName) ?? core.config.deviceName,
    os: core.platform.operatingSystem(),
    appVersion: core.config.appVersion,
    metadata,
  };
  const { body, requestId } = await call(core, ACTIVATIONS, fields, { success: [200, 201, 202] });
  const { activationId: id, status } = body;
  if (typeof id !== "string") throw unexpectedReply("the activation", requestId);
  return {
    id,
    status: status === "Active" || status === "Pending" ? status : "Unknown",
    active: status === "Active",
    seatsUsed: optionalInteger(body["seatsUsed"]),
    seatsTotal: optionalInteger(body["seatsTotal"]),
    activatedAt: asDate(parseTime(body["activatedAt"])),
  };
}

/** Releases the seat of this device. Does nothing if it holds none. */
export function deactivate(core: LicenseCore, options: Call = {}): Promise<void> {
  return core.withKey("leave", () => deactivateNow(core, options));
}

async function deactivateNow(core: LicenseCore, options: Call): Promise<void> {
  const fields = {
    licenseKey: await requiredKey(core),
    hardwareId: await core.hardwareId(),
    ...core.credentials,
  };
  try {
    await call(core, CURRENT, fields, { ...options, method: "DELETE", success: [200, 204] });
  } catch (error) {
    const released =
      error instanceof RequestRefusedError && error.errorCode === "ActivationNotFound";
    if (!released) throw error;
  }
}

/** Deactivates in one short attempt; a failure is not reported. */
export async function deactivateQuietly(core: LicenseCore): Promise<void> {
  try {
    await deactivate(core, QUIET);
  } catch (error) {
    if (!(error instanceof LicetError)) throw error;
  }
}

/** Activates this device, which must not have to wait for the vendor's approval. */
export async function activateDevice(core: LicenseCore): Promise<Activation> {
  const activation = await activate(core);
  if (activation.status === "Pending") {
    // The server has registered the device, which is no error there.
    const details = { httpStatus: 202, errorCode: "PendingApproval" };
    throw new ApprovalPendingError(MESSAGES.PendingApproval, details);
  }
  if (!activation.active) throw unexpectedReply("the activation", null);
  return activation;
}
