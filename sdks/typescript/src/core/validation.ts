/** Validation: the file if it is sufficient, else the server, else the file in its grace period. */

import { clockWarning } from "./clockGuard.js";
import type { LicenseCore } from "./core.js";
import { type LicetError, NetworkError, ServerFaultError } from "./errors.js";
import {
  checkFile,
  type FileCheck,
  isSufficient,
  keyForRequest,
  requiredKey,
} from "./fileCheck.js";
import { refreshIsDue, tryRefresh } from "./refresh.js";
import type { LicenseResult } from "./result.js";
import { type Asked, requestVerdict } from "./server.js";
import { MESSAGES, runs } from "./status.js";
import { formatTime } from "./time.js";

/** Uses the file if it is sufficient, else the server, else the file in its grace period. */
export async function validate(core: LicenseCore): Promise<LicenseResult> {
  const local = await checkFile(core);
  const key = keyForRequest(core, local);
  if (isSufficient(local) || key === null || !core.hasServer) return local.result;
  let asked: Asked;
  try {
    asked = await requestVerdict(core, key);
  } catch (error) {
    if (!(error instanceof NetworkError || error instanceof ServerFaultError)) throw error;
    return withoutServer(local, error);
  }
  const result = trustYes(asked);
  if (result.valid && refreshIsDue(core, local)) await tryRefresh(core, key);
  return result;
}

/** The server's verdict, or the error that prevented it. */
export async function validateOnline(core: LicenseCore): Promise<LicenseResult> {
  return trustYes(await requestVerdict(core, await requiredKey(core)));
}

/** The nonce proves that a verdict is new, so a signed yes wins over a wrong clock. */
function trustYes({ verdict, result }: Asked): LicenseResult {
  if (verdict === null || !runs(verdict.status) || verdict.clockOffset === null) return result;
  const warnings = [clockWarning(verdict.clockOffset), ...result.warnings];
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
