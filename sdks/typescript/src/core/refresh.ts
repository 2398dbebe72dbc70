/** Refreshing license.bin: fetch, verify, evaluate, replace atomically. */

import { call } from "./api.js";
import type { LicenseFile } from "./claims.js";
import type { LicenseCore } from "./core.js";
import { LicenseFileError, LicetError } from "./errors.js";
import { checkFile, requiredKey } from "./fileCheck.js";
import { isProtected, RejectedToken, requireThat } from "./jose.js";
import { keyHash, MIN_PROTECTION_KEY_LENGTH } from "./keys.js";
import { RequestRefusedError } from "./refusals.js";
import type { LicenseResult } from "./result.js";
import { DEFAULT_RETRIES, NO_RETRIES, type RetryPolicy } from "./retries.js";
import { assessFileClock, evaluateFile, timeOf } from "./rules.js";
import { requestVerdict } from "./server.js";
import { CHECK_INTERVAL, checkIsDue, refusalOf, withAnchor, withNextCheck } from "./state.js";
import { MESSAGES } from "./startSentences.js";
import type { LicenseStatus } from "./status.js";
import { writeFile } from "./storedFile.js";
import { HOUR, MINUTE, monotonic, SECOND } from "./time.js";

export { replaceFile } from "./storedFile.js";

const REFRESH = "/licenses/refresh";
const NEW_FILE_AGE = 10 * MINUTE;
const REFRESH_RETRY_SECONDS = HOUR / SECOND;
const RECHECK_RETRY = 6 * HOUR;
// A new file with these statuses is kept: the clock or the application version is wrong, not it.
const KEEP_FILE_FOR: readonly LicenseStatus[] = ["ReleaseNotAllowed", "ClockTampered"];

interface Fetched {
  readonly result: LicenseResult;
  /** `null` if it is not trusted. */
  readonly file: LicenseFile | null;
}

/** Refreshes license.bin, or returns the server's signed reason for the refusal. */
export function refresh(core: LicenseCore): Promise<LicenseResult> {
  return core.withKey("use", () => refreshNow(core));
}

async function refreshNow(core: LicenseCore): Promise<LicenseResult> {
  if (core.config.isNoKey) return (await checkFile(core)).result;
  const key = await requiredKey(core);
  if (refusalOf(await (await core.store()).load(), await keyHash(key)) !== null) {
    // A file may be an old one, so it cannot lift a refusal. A verdict can.
    const { result } = await requestVerdict(core, key);
    if (!result.valid) return result;
  }
  let fetched: Fetched;
  try {
    fetched = await fetchFile(core, key, DEFAULT_RETRIES);
  } catch (refusal) {
    if (!(refusal instanceof RequestRefusedError)) throw refusal;
    // The refusal is not signed. The verdict is, and it says more.
    const { result } = await requestVerdict(core, key);
    if (result.valid) throw refusal;
    return result;
  }
  if (fetched.file?.online === true && fetched.result.valid) {
    // Without a signed verdict the file of an Online license has no grace period.
    const { result } = await requestVerdict(core, key);
    if (!result.valid) return result;
  }
  return fetched.result;
}

/**
 * Refreshes license.bin in one attempt, or with the text that a verdict came with. A failure only
 * puts the next attempt off.
 */
export async function tryRefresh(core: LicenseCore, key: string, text?: unknown): Promise<void> {
  try {
    const { result } =
      text === undefined
        ? await fetchFile(core, key, NO_RETRIES)
        : await takeFile(core, key, text, await currentFile(core, key));
    if (result.valid && core.unwrittenFile === null) return;
  } catch (error) {
    if (!(error instanceof LicetError)) throw error;
    if (error instanceof LicenseFileError) core.unwrittenFile = error.message;
  }
  core.noRefreshBefore = monotonic() + REFRESH_RETRY_SECONDS;
}

/** Checks an Offline license with the server, unless another process does so at present. */
export async function recheck(core: LicenseCore): Promise<void> {
  const { askingKey, config } = core;
  // Enrolling for the check is not tried again soon either.
  const needsToken = config.normalKey === null && askingKey !== null;
  if (needsToken && !(await claimCheck(core, await keyHash(askingKey)))) return;
  await core.withKey("use", () => recheckNow(core));
}

async function recheckNow(core: LicenseCore): Promise<void> {
  const key = await requiredKey(core);
  if (!(await claimCheck(core, await keyHash(key)))) return;
  // The verdict comes first because a refresh may take a seat again that the vendor has freed.
  const { result } = await requestVerdict(core, key, { retries: NO_RETRIES });
  if (result.valid) await tryRefresh(core, key);
}

/**
 * Puts the next check off before the request is sent, so neither a restart nor a failure makes the
 * SDK ask again soon; false if another process has done so since the state was last read.
 */
async function claimCheck(core: LicenseCore, hash: string): Promise<boolean> {
  const { now } = core.read();
  const store = await core.store();
  let due = false;
  await store.update((old) => {
    due = checkIsDue(old, hash, now);
    return due ? withNextCheck(old, hash, now + RECHECK_RETRY) : old;
  });
  return due;
}

async function fetchFile(core: LicenseCore, key: string, retries: RetryPolicy): Promise<Fetched> {
  const current = await currentFile(core, key);
  const fields = {
    licenseKey: key,
    hardwareId: await core.hardwareId(),
    components: await core.components?.(),
    ...core.credentials,
    protected: await isToBeProtected(core, key, current),
  };
  const { body, requestId } = await call(core, REFRESH, fields, { retries });
  const fetched = await takeFile(core, key, body["file"], current);
  let result = fetched.result.with({ requestId });
  if (core.config.protectFile === true && !fields.protected) {
    const short = "ProtectFile is off: the license key is too short to protect a license file.";
    result = result.with({ warnings: [...result.warnings, short] });
  }
  return { ...fetched, result };
}

/** Whether a new license.bin is to be stored in the form that comes with a verdict. */
export async function wantsPlainFile(core: LicenseCore, key: string): Promise<boolean> {
  return !(await isToBeProtected(core, key, await currentFile(core, key)));
}

async function isToBeProtected(
  core: LicenseCore,
  key: string,
  current: LicenseFile | null,
): Promise<boolean> {
  if (key.length < MIN_PROTECTION_KEY_LENGTH) return false;
  const { seen } = await core.store();
  return core.config.protectFile ?? current?.protected ?? (seen.protectsFile || core.hasSealedFile);
}

/** Verifies the file of an answer, and puts it in the place of the current one. */
async function takeFile(
  core: LicenseCore,
  key: string,
  text: unknown,
  current: LicenseFile | null,
): Promise<Fetched> {
  let file: LicenseFile;
  try {
    requireThat(typeof text === "string", "the response contains no file");
    file = await verifyNewFile(core, text, key, current);
  } catch (reason) {
    if (!(reason instanceof RejectedToken)) throw reason;
    const message =
      `The license file from the server cannot be trusted: ${reason.message}. Check that the ` +
      "application has the product's current public key and the right server address.";
    return { result: await core.mismatch(message, "server"), file: null };
  }
  const result = await evaluateNewFile(core, file, key);
  if (result.valid || KEEP_FILE_FOR.includes(result.status)) await writeFile(core, text, key);
  return { result: await core.withWarnings(result), file };
}

async function verifyNewFile(
  core: LicenseCore,
  text: string,
  key: string,
  current: LicenseFile | null,
): Promise<LicenseFile> {
  const file = await core.openFile(text, key);
  requireThat(file.normalKey === key, "it belongs to another license key");
  requireThat(
    current === null || file.issuedAt >= current.issuedAt || file.license.test,
    "it is older than the file on this machine",
  );
  return file;
}

async function currentFile(core: LicenseCore, key: string): Promise<LicenseFile | null> {
  try {
    const text = await core.readFile();
    const file = text === null ? null : await core.openFile(text, key);
    return file?.normalKey === key ? file : null;
  } catch {
    return null;
  }
}

async function evaluateNewFile(
  core: LicenseCore,
  file: LicenseFile,
  key: string,
): Promise<LicenseResult> {
  const reading = core.read();
  const hash = file.keyHash ?? "";
  const state = await (
    await core.store()
  ).update((old) => {
    const at = timeOf(file.license, file.issuedAt, reading, old);
    const seen = withAnchor(old, file.issuedAt, at);
    return withNextCheck(seen, hash, reading.now + CHECK_INTERVAL);
  });
  // The file is new, so it is evaluated as if a verdict had confirmed the license; only a verdict
  // is kept as one.
  const confirmed = { keyHash: hash, at: file.issuedAt };
  const context = { ...(await core.fileContext(state, file)), normalKey: key, confirmed };
  const result = await core.withWarnings(evaluateFile(file, context));
  const graced = result.status === "GracePeriod" || result.status === "OnlineRequired";
  const { now } = timeOf(file.license, file.issuedAt, reading, state);
  const justIssued = Math.abs(now - file.issuedAt) <= NEW_FILE_AGE;
  if (graced && (justIssued || assessFileClock(file, context).state === "wrongTimeZone")) {
    return result.with({ status: "Valid", message: MESSAGES.Valid });
  }
  return result;
}

/**
 * Puts the text of a license.bin in its place, if it is one for this application.
 *
 * @throws LicenseFileError It cannot be written.
 */
export async function installFile(core: LicenseCore, text: string): Promise<LicenseResult> {
  const token = text.trim();
  const { normalKey } = core.config;
  try {
    requireThat(
      !isProtected(token) || normalKey !== null,
      "it is protected and no license key was given to decrypt it",
    );
    const file = await core.openFile(token, normalKey);
    requireThat(
      normalKey === null || file.normalKey === normalKey,
      "it belongs to another license key",
    );
    const reading = core.read();
    core.foundKeyHash = file.keyHash;
    const store = await core.store();
    const state = await store.update((old) => withAnchor(old, file.issuedAt, reading));
    await writeFile(core, token, file.normalKey);
    if (core.unwrittenFile !== null) throw new LicenseFileError(core.unwrittenFile);
    return await core.withWarnings(evaluateFile(file, await core.fileContext(state, file)));
  } catch (reason) {
    if (!(reason instanceof RejectedToken)) throw reason;
    const message = `This is not a license file for this application: ${reason.message}.`;
    return core.mismatch(message, "file");
  }
}
