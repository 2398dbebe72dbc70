/** Validation: the file if it is sufficient, else the server, else the file in its grace period. */

import { clockWarning } from "./clockGuard.js";
import type { LicenseCore } from "./core.js";
import { type LicetError, NetworkError, ServerFaultError, ServerTimeoutError } from "./errors.js";
import {
  checkFile,
  type FileCheck,
  isSufficient,
  keyForRequest,
  requiredKey,
  sufficesForNow,
} from "./fileCheck.js";
import { files } from "./parts.js";
import type { LicenseResult } from "./result.js";
import { type Asked, requestVerdict } from "./server.js";
import { MAX_CLOCK_OFFSET, SILENCE, silenceOf, withSilence } from "./state.js";
import { MESSAGES, runs } from "./status.js";
import { DAY, formatTime, monotonic } from "./time.js";

/** How long a start waits for the server that could do without it. */
const QUICKLY = { timeoutSeconds: 2 };
const LONG_WAIT_SECONDS = 1;
const REFRESH_EVERY = DAY;

/** Uses the file if it is sufficient, else the server, else the file in its grace period. */
export async function validate(core: LicenseCore): Promise<LicenseResult> {
  const local = await checkFile(core);
  const key = keyForRequest(core, local);
  if (isSufficient(local) || key === null || !core.hasServer) return local.result;
  const patient = !sufficesForNow(local);
  const silence = patient ? null : await silenceIn(core);
  if (silence !== null) return withoutServer(local, silence);
  const askedAt = monotonic();
  let asked: Asked;
  try {
    asked = await requestVerdict(core, key, patient ? {} : QUICKLY);
  } catch (error) {
    if (!(error instanceof NetworkError || error instanceof ServerFaultError)) throw error;
    const long = monotonic() - askedAt >= LONG_WAIT_SECONDS;
    if (!patient && long) await rememberSilence(core);
    return withoutServer(local, error);
  }
  const result = trustYes(asked);
  if (result.valid && refreshIsDue(core, local)) {
    // The result does not depend on the refresh.
    const part = await files().catch(() => null);
    await part?.tryRefresh(core, key);
  }
  return result;
}

/** Whether license.bin is missing, not valid or a day old, and no failed refresh is recent. */
function refreshIsDue(core: LicenseCore, local: FileCheck): boolean {
  if (monotonic() < core.noRefreshBefore) return false;
  if (local.file === null || !local.result.valid) return true;
  return core.read().now - local.file.issuedAt >= REFRESH_EVERY;
}

/** The server's verdict, or the error that prevented it. */
export async function validateOnline(core: LicenseCore): Promise<LicenseResult> {
  if (core.config.isNoKey) return (await checkFile(core)).result;
  return trustYes(await requestVerdict(core, await requiredKey(core)));
}

/** The error in place of asking a server that has just let another start wait. */
async function silenceIn(core: LicenseCore): Promise<ServerTimeoutError | null> {
  const state = await (await core.store()).load();
  const until = silenceOf(state, core.config.endpoint, core.read().now);
  if (until === null) return null;
  return new ServerTimeoutError(
    `The license server did not respond at ${formatTime(until - SILENCE)}, and is asked again ` +
      `after ${formatTime(until)}.`,
  );
}

async function rememberSilence(core: LicenseCore): Promise<void> {
  const store = await core.store();
  await store.update((old) => withSilence(old, core.config.endpoint, core.read().now));
}

/**
 * The nonce proves that a verdict is new, so the time in it is right: up to a day off, a wrong clock
 * only warns.
 */
function trustYes({ verdict, result }: Asked): LicenseResult {
  const offset = verdict?.clockOffset ?? null;
  if (verdict === null || offset === null || !runs(verdict.status)) return result;
  if (Math.abs(offset) > MAX_CLOCK_OFFSET) return result;
  const warnings = [clockWarning(offset), ...result.warnings];
  return result.with({ status: "Valid", message: MESSAGES.Valid, warnings });
}

/** The verdict on the file when the server cannot be asked, with the cause. */
function withoutServer({ result }: FileCheck, cause: LicetError): LicenseResult {
  if (result.status === "GracePeriod" && result.graceEndsAt !== null) {
    const ends = formatTime(result.graceEndsAt.getTime());
    return result.with({
      cause,
      message: `${cause.message} The license stays valid until ${ends}.`,
    });
  }
  if (result.status === "OnlineRequired") {
    return result.with({ cause, message: `${cause.message} ${result.message}` });
  }
  if (result.source !== "none") return result.with({ cause });
  const message =
    `${cause.message} There is no license file on this machine, so the license has to be checked ` +
    "with the server.";
  return result.with({ cause, status: "OnlineRequired", message });
}
