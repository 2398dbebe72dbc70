/** Evaluating license.bin without asking the server. */

import type { LicenseFile } from "./claims.js";
import type { LicenseCore } from "./core.js";
import { ConfigurationError } from "./errors.js";
import { claimedHeader, isProtected, RejectedToken } from "./jose.js";
import { KEY_FAULT, keyHash } from "./keys.js";
import { traitsOf } from "./models.js";
import { opening } from "./parts.js";
import { LicenseResult } from "./result.js";
import { evaluateFile, timeOf } from "./rules.js";
import { withAnchor, withClockReading } from "./state.js";
import { runs } from "./status.js";
import { asDate } from "./time.js";
import { refusalResult, VERDICT_TYP } from "./verdict.js";

/** The verdict on license.bin without asking the server. */
export interface FileCheck {
  readonly result: LicenseResult;
  readonly file: LicenseFile | null;
  /** The license key of the file that a refusal has replaced, if it is known. */
  readonly refusedKey: string | null;
}

/** Whether the server does not have to be asked, as it has to for the time of a test. */
export function isSufficient({ result, file }: FileCheck): boolean {
  const { valid, leaseEndsAt } = result;
  return valid && !leaseEndsAt && file !== null && !file.online && !file.license.test;
}

/**
 * Evaluates license.bin without asking the server.
 *
 * @throws ConfigurationError The file is protected and no license key is set.
 * @throws LicenseFileError It cannot be read.
 */
export async function checkFile(core: LicenseCore): Promise<FileCheck> {
  const check = await evaluate(core);
  return { ...check, result: await core.decide(check.result) };
}

/** Whether this claims to be a verdict, in the place of a license file. Verifies nothing. */
export function isVerdict(text: string): boolean {
  return claimedHeader(text, 3)?.["typ"] === VERDICT_TYP;
}

async function evaluate(core: LicenseCore): Promise<FileCheck> {
  const { licenseFile, normalKey, isNoKey } = core.config;
  if (isNoKey) return noFile(core, KEY_FAULT);
  const text = await core.readFile();
  if (text === null) {
    const missing = `The license file ${licenseFile} does not exist.`;
    return noFile(core, core.refusedFile ?? missing);
  }
  if (isVerdict(text)) return checkRefusal(core, text);
  if (isProtected(text) && normalKey === null) {
    throw new ConfigurationError(
      `${licenseFile} is protected and needs its license key. Pass licenseKey or set LicenseKey ` +
        "in the settings file.",
    );
  }
  let file: LicenseFile;
  try {
    file = await core.openFile(text, normalKey);
  } catch (reason) {
    if (!(reason instanceof RejectedToken)) throw reason;
    return notTrusted(core, reason.message);
  }
  core.licenseId = file.license.id;
  core.foundKeyHash = file.keyHash;
  const reading = core.read();
  const store = await core.store();
  const state = await store.update((old) => {
    const at = timeOf(file.license, file.issuedAt, reading, old);
    return withClockReading(withAnchor(old, file.issuedAt, at), at);
  });
  const result = evaluateFile(file, await core.fileContext(state, file));
  return { result, file, refusedKey: null };
}

function noFile(core: LicenseCore, reason: string): FileCheck {
  const result = new LicenseResult({
    status: "LicenseNotFound",
    message: `${reason} Install license.bin, or enter a license key and connect to the license server.`,
    checkedAt: asDate(core.read().now),
  });
  return { result, file: null, refusedKey: null };
}

async function notTrusted(core: LicenseCore, reason: string): Promise<FileCheck> {
  const message =
    `${core.config.licenseFile} is not a license file for this application: ${reason}. Install ` +
    "the license.bin issued for this product.";
  return { result: await core.mismatch(message, "file"), file: null, refusedKey: null };
}

/** Evaluates a signed refusal in the place of license.bin. */
async function checkRefusal(core: LicenseCore, text: string): Promise<FileCheck> {
  const { licenseFile, normalKey } = core.config;
  const refusal = await core.readKept(text);
  if (refusal === null || runs(refusal.status)) {
    return notTrusted(core, "it is not for this product and this machine");
  }
  if (normalKey !== null && (await keyHash(normalKey)) !== refusal.keyHash) {
    return noFile(core, `${licenseFile} belongs to another license key.`);
  }
  core.foundKeyHash = refusal.keyHash;
  const state = await (await core.store()).load();
  const { refusedKey } = state;
  const fits = refusedKey !== null && (await keyHash(refusedKey)) === refusal.keyHash;
  const { now } = timeOf(refusal.license, refusal.issuedAt, core.read(), state);
  const result = refusalResult(refusal, now);
  return { result, file: null, refusedKey: fits ? refusedKey : null };
}

/** Whether the application can start without the server, though it should ask it. */
export function sufficesForNow({ result, file }: FileCheck): boolean {
  if (result.leaseEndsAt) return true;
  if (!result.valid || file === null) return false;
  return traitsOf(file.license.type).seatKind !== "Session";
}

/** The license key to send to the server after this check of the file. */
export function keyForRequest(core: LicenseCore, local: FileCheck): string | null {
  return core.config.normalKey ?? (local.file === null ? local.refusedKey : local.file.normalKey);
}

/** The license key that is set or that license.bin contains, in normal form. */
export async function knownKey(core: LicenseCore): Promise<string | null> {
  return core.config.normalKey ?? keyForRequest(core, await checkFile(core));
}

/**
 * The license key to send to the server, in normal form.
 *
 * @throws LicenseRefusedError What is set cannot be a license key.
 * @throws ConfigurationError No license key is set and license.bin has none.
 */
export async function requiredKey(core: LicenseCore): Promise<string> {
  if (core.config.isNoKey) {
    throw (await opening()).errorForResult((await checkFile(core)).result);
  }
  const key = await knownKey(core);
  if (key !== null) return key;
  throw new ConfigurationError(
    "LicenseKey is missing, and there is no license.bin to read it from. Pass licenseKey or set " +
      "LicenseKey in the settings file.",
  );
}
