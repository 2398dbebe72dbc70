/** Asking the server for a verdict, verifying it and remembering it. */

import { call, type Call } from "./api.js";
import { randomToken } from "./bytes.js";
import { clockWarning } from "./clockGuard.js";
import type { LicenseCore } from "./core.js";
import { RejectedToken } from "./jose.js";
import { keyHash } from "./keys.js";
import { files } from "./parts.js";
import type { LicenseResult } from "./result.js";
import {
  type Answer,
  CHECK_INTERVAL,
  isAhead,
  MAX_CLOCK_OFFSET,
  withAnswer,
  withNextCheck,
} from "./state.js";
import { MESSAGES } from "./startSentences.js";
import { type LicenseStatus, runs } from "./status.js";
import type { Reading } from "./time.js";
import { type Verdict, verdictResult, verifyVerdict } from "./verdict.js";

const VALIDATE = "/licenses/validate";
// The next request may get another status although the license has not changed.
const TRANSIENT_REFUSALS: readonly LicenseStatus[] = [
  "ReleaseNotAllowed",
  "HardwareIdRequired",
  "DeviceProofRequired",
  "TestLicense",
];

/** What else is asked for with a verdict. */
export type Asks = Readonly<Record<string, unknown>>;

/** The result that an answer means. */
export interface Asked {
  readonly result: LicenseResult;
  /** The license.bin of the answer, still to be verified. */
  readonly file?: unknown;
}

/**
 * Asks the server for a verdict, verifies and remembers it.
 *
 * @throws NetworkError The server did not respond.
 * @throws ServerFaultError The server responded with an error.
 */
export async function requestVerdict(
  core: LicenseCore,
  key: string,
  options: Pick<Call, "retries" | "timeoutSeconds" | "wait"> = {},
  asks: Asks = {},
): Promise<Asked> {
  const { config } = core;
  const nonce = randomToken(24);
  const hardwareId = await core.hardwareId();
  const fields = {
    licenseKey: key,
    hardwareId,
    deviceKeyLevel: await core.proofs.level(),
    components: await core.components?.(),
    deviceName: config.deviceName,
    appVersion: config.appVersion,
    sessionId: core.liveSession(),
    ...core.credentials,
    nonce,
    signed: true,
    ...asks,
  };
  const { body, requestId } = await call(core, VALIDATE, fields, options);
  const reading = core.read();
  const request = { ...config, normalKey: key, hardwareId, nonce };
  let verdict: Verdict;
  try {
    verdict = await verifyVerdict(body["token"], await core.keys(), request, reading.now);
  } catch (reason) {
    if (!(reason instanceof RejectedToken)) throw reason;
    const message =
      `The license server's response cannot be trusted: ${reason.message}. Check that the ` +
      "application has the product's current public key and the right server address.";
    return { result: (await core.mismatch(message, "server")).with({ requestId }) };
  }
  return core.judge(verdict.status, key, async () => {
    core.licenseId = verdict.license?.id ?? null;
    await remember(core, verdict, key, String(body["token"]), reading);
    const now = reading.now + (verdict.serverAhead ?? 0);
    const result = trustYes(verdict, verdictResult(verdict, now, requestId));
    return { result: core.learn(await core.withWarnings(result)), file: body["file"] };
  });
}

/**
 * The nonce proves that a verdict is new, so the time in it is right: up to a day off, a wrong clock
 * only warns.
 */
function trustYes({ clockOffset, status }: Verdict, result: LicenseResult): LicenseResult {
  if (clockOffset === null || !runs(status)) return result;
  if (Math.abs(clockOffset) > MAX_CLOCK_OFFSET) return result;
  const warnings = [clockWarning(clockOffset)];
  return result.with({ status: "Valid", message: MESSAGES.Valid, warnings });
}

async function remember(
  core: LicenseCore,
  verdict: Verdict,
  key: string,
  token: string,
  reading: Reading,
): Promise<void> {
  const { serverAhead } = verdict;
  const answer: Answer = {
    token,
    keyHash: await keyHash(key),
    at: verdict.issuedAt,
    reading: { ...reading, now: reading.now + (serverAhead ?? 0) },
    effect: effectOf(verdict),
    agrees: verdict.clockOffset === null,
  };
  core.foundKeyHash = answer.keyHash;
  const store = await core.store();
  await store.update((old) => {
    const answered = { ...withAnswer(old, answer), silentServer: null, silentUntil: null };
    const state = { ...answered, serverAhead: serverAhead ?? old.serverAhead };
    return withNextCheck(state, answer.keyHash, reading.now + CHECK_INTERVAL);
  });
  if (answer.effect !== "refuses" || isAhead(answer)) return;
  // If this part cannot be loaded, the refusal is in the state nevertheless.
  const part = await files().catch(() => null);
  await part?.replaceFile(core, verdict, key, token);
}

function effectOf({ status }: Verdict): Answer["effect"] {
  if (runs(status)) return "confirms";
  return TRANSIENT_REFUSALS.includes(status) ? "passes" : "refuses";
}
