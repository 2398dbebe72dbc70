/** Validation: the file if it is sufficient, else the server, else the file in its grace period. */

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
import { PATIENT_RETRIES, START_RETRIES } from "./retries.js";
import { type Asked, type Asks, requestVerdict } from "./server.js";
import { SILENCE, silenceOf, withSilence } from "./state.js";
import { DAY, formatTime, monotonic, waitAtMost } from "./time.js";
import { noAnswerIn } from "./transport.js";

/** How long a start waits for the server that could do without it. */
const START_SECONDS = 2;
/** How long one waits that needs the server, if it has just been silent. */
const SHORT_START_SECONDS = 4;
const LONG_WAIT_SECONDS = 1;
const REFRESH_EVERY = DAY;

/**
 * Uses the file if it is sufficient, else the server, else the file in its grace period.
 *
 * A start that can do without the server waits two seconds for it, and lets the request go on in the
 * background, so that a slow server is believed, too.
 *
 * @param patient Nobody waits: each attempt may take the whole timeout.
 * @param first What a first start, which has no valid license.bin, asks for with the verdict. An
 *   older server ignores that.
 */
export function validate(
  core: LicenseCore,
  patient = false,
  first?: (key: string) => Promise<Asks>,
): Promise<LicenseResult> {
  return core.withKey("validate", () => validateNow(core, patient, first));
}

async function validateNow(
  core: LicenseCore,
  patient: boolean,
  first?: (key: string) => Promise<Asks>,
): Promise<LicenseResult> {
  const local = await checkFile(core);
  const key = keyForRequest(core, local);
  if (isSufficient(local) || key === null || !core.hasServer) return core.learn(local.result);
  const silence = patient ? null : await silenceIn(core);
  const suffices = sufficesForNow(local);
  if (suffices && silence !== null) return core.learn(withoutServer(local, silence));
  const before = core.latest;
  let asked: Asked;
  try {
    if (patient) asked = await requestVerdict(core, key, { retries: PATIENT_RETRIES });
    else if (suffices) asked = await askForNow(core, key);
    else {
      const asks = local.result.valid ? undefined : await first?.(key);
      asked = await ask(core, key, silence !== null, asks);
    }
  } catch (error) {
    if (!(error instanceof NetworkError || error instanceof ServerFaultError)) throw error;
    // The answer may have come just after the wait for it ended.
    if (core.latest !== null && core.latest !== before) return core.latest;
    return core.learn(withoutServer(local, error));
  }
  await refreshIfDue(core, key, local, asked);
  return core.learn(asked.result);
}

async function ask(core: LicenseCore, key: string, shortly: boolean, asks?: Asks): Promise<Asked> {
  try {
    const limit = shortly ? { timeoutSeconds: SHORT_START_SECONDS } : {};
    return await requestVerdict(core, key, limit, asks);
  } catch (error) {
    // A short wait says nothing new: otherwise a slow server would never get the long one.
    if (error instanceof ServerTimeoutError && !shortly) await rememberSilence(core);
    throw error;
  }
}

/** Asks the server, and waits two seconds for it. Its answer is learned when it arrives. */
async function askForNow(core: LicenseCore, key: string): Promise<Asked> {
  const wait: { since: number | null } = { since: null };
  let late = false;
  const work = async () => {
    const asked = await requestVerdict(core, key, { retries: START_RETRIES, wait }).catch(
      async (error: unknown) => {
        if (late) await core.missed(error);
        throw error;
      },
    );
    if (late) await refreshIfDue(core, key, await checkFile(core), asked);
    return asked;
  };
  const asked = work();
  const settled = asked.catch(() => undefined).finally(() => core.running.delete(settled));
  core.running.add(settled);
  await waitAtMost(START_SECONDS, settled);
  const long = wait.since !== null && monotonic() - wait.since >= LONG_WAIT_SECONDS;
  if (core.running.has(settled)) {
    late = true;
    if (long) await rememberSilence(core);
    throw noAnswerIn(START_SECONDS);
  }
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerTimeoutError) await rememberSilence(core);
    throw error;
  }
}

async function refreshIfDue(
  core: LicenseCore,
  key: string,
  local: FileCheck,
  { result, file }: Asked,
): Promise<void> {
  if (!result.valid || !(await refreshIsDue(core, local))) return;
  // The result does not depend on the refresh.
  const part = await files().catch(() => null);
  await part?.tryRefresh(core, key, file);
}

/** Whether license.bin is missing, not valid or a day old, and no failed refresh is recent. */
async function refreshIsDue(core: LicenseCore, { file, result }: FileCheck): Promise<boolean> {
  if (monotonic() < core.noRefreshBefore) return false;
  if (file === null || !result.valid) return true;
  const age = core.read().now - file.issuedAt;
  if (!file.license.test) return age >= REFRESH_EVERY;
  // The file may be one of the future, if the clock of its product was removed.
  return Math.abs(age + (await core.store()).seen.serverAhead) >= REFRESH_EVERY;
}

/** The server's verdict, or the error that prevented it. */
export async function validateOnline(core: LicenseCore): Promise<LicenseResult> {
  if (core.config.isNoKey) return core.learn((await checkFile(core)).result);
  const ask = async () => requestVerdict(core, await requiredKey(core));
  return core.learn((await core.withKey("use", ask)).result);
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

/** The verdict on the file when the server cannot be asked, with the cause. */
export function withoutServer({ result }: FileCheck, cause: LicetError): LicenseResult {
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
