/** Writing license.bin, also with a refusal in its place. */

import { utf8 } from "./bytes.js";
import type { LicenseCore } from "./core.js";
import { LicenseFileError } from "./errors.js";
import { isVerdict } from "./fileCheck.js";
import { isProtected } from "./jose.js";
import { keyHash } from "./keys.js";
import { withReplacedFile } from "./state.js";
import type { LicenseStatus } from "./status.js";
import type { Verdict } from "./verdict.js";

// These are about the license wherever it is used; the others about this machine or its user.
const LICENSE_REFUSALS: readonly LicenseStatus[] = [
  "LicenseNotFound",
  "Expired",
  "Revoked",
  "Suspended",
  "Unknown",
];
const USER_REFUSALS: readonly LicenseStatus[] = ["CredentialsRequired", "CredentialsInvalid"];

/**
 * Replaces the license.bin of a key. If what another user has put in its place cannot be replaced, that is a warning.
 *
 * @throws LicenseFileError It cannot be written.
 */
export async function writeFile(
  core: LicenseCore,
  text: string,
  key: string | null,
): Promise<void> {
  const path = await core.fileOf(key);
  try {
    const refusal = await core.platform.writeLicense(path, utf8(text));
    core.unwrittenFile = refusal && `${path} cannot be replaced: ${refusal}. Remove it.`;
  } catch (error) {
    throw new LicenseFileError(
      `${path} cannot be written: ${(error as Error).message}. Check the permissions of ` +
        "the folder.",
      { cause: error, hint: "LicenseFile names another place." },
    );
  }
}

/** Puts a refusal in the place of the license.bin that it is about. */
export async function replaceFile(
  core: LicenseCore,
  verdict: Verdict,
  key: string,
  token: string,
): Promise<void> {
  try {
    const text = await core.readFile();
    if (text === null || !(await isRefused(core, text, verdict, key))) return;
    const store = await core.store();
    await store.update((old) =>
      withReplacedFile(
        old,
        core.config.normalKey === null ? key : null,
        isProtected(text) || (isVerdict(text) && old.protectsFile),
      ),
    );
    await writeFile(core, token, key);
  } catch {
    // The refusal is in the state as well.
  }
}

/**
 * Whether a refusal is about this license.bin, and is newer. A refusal of one machine replaces only
 * a file for machines: others may share any other.
 */
async function isRefused(
  core: LicenseCore,
  text: string,
  verdict: Verdict,
  key: string,
): Promise<boolean> {
  if (isVerdict(text)) return (await core.readKept(text))?.keyHash === (await keyHash(key));
  try {
    const file = await core.openFile(text, key);
    if (file.normalKey !== key) return false;
    if (file.issuedAt > verdict.issuedAt && !file.license.test) return false;
    if (USER_REFUSALS.includes(verdict.status)) return false;
    return LICENSE_REFUSALS.includes(verdict.status) || file.hardwareIds.length > 0;
  } catch {
    return false;
  }
}
