/** The files of license.bin in a folder: one for each license key, and those that people put there. */

import { readdir, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Bytes } from "../core/bytes.js";
import type { Places } from "../core/config.js";
import { reasonOf } from "../core/parts.js";
import type { StoredLicense } from "../core/platform.js";
import { readInstalled, readTrusted } from "./files.js";
import { RefusedFile } from "./ownership.js";

const OF_A_KEY = /^license-[0-9a-f]{8}\.bin$/;

/**
 * The content of the newest license.bin that suits; of the newest of all if none does. Without `own`
 * those of all keys are read.
 *
 * @throws Error It cannot be read.
 */
export async function readLicense(
  places: Places,
  own: string | null,
  limit: number,
  suits: (content: Bytes) => Promise<boolean>,
): Promise<StoredLicense> {
  const { licenseFile, isNamed, installedFile } = places;
  const ofKeys = isNamed ? [] : await filesOfKeys(dirname(licenseFile));
  const found = [...(own === null ? [licenseFile, ...ofKeys] : [own, licenseFile]), installedFile];
  let refused: string | null = null;
  let failed: Error | null = null;
  let newest: Bytes | null = null;
  for (const path of await newestFirst(found.filter((item) => item !== null))) {
    try {
      const isOwn = path !== installedFile || path === licenseFile;
      const content = await (isOwn ? readTrusted(path, limit) : readInstalled(path, limit));
      if (content === null) continue;
      if (await suits(content)) {
        if (path === own) await prefer(own, ofKeys);
        return { content, refused };
      }
      newest ??= content;
    } catch (reason) {
      if (reason instanceof RefusedFile) {
        refused = `The license file ${path} is not used: ${reason.message}.`;
        continue;
      }
      failed = new Error(`${path} cannot be read: ${reasonOf(reason)}`, { cause: reason });
      refused = `The license file ${failed.message}. Check its permissions.`;
    }
  }
  if (newest === null && failed !== null) throw failed;
  return { content: newest, refused };
}

/** Lets a client without a key find this file before those of other keys. */
async function prefer(own: string, ofKeys: readonly string[]): Promise<void> {
  const [first] = await newestFirst([...ofKeys.filter((path) => path !== own), own]);
  if (first !== own) await utimes(own, new Date(), new Date()).catch(() => undefined);
}

async function filesOfKeys(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => OF_A_KEY.test(name)).map((name) => join(folder, name));
}

async function newestFirst(paths: readonly string[]): Promise<string[]> {
  const dated = [...new Set(paths)].map(async (path) => ({ path, at: await changedAt(path) }));
  return (await Promise.all(dated)).sort((a, b) => b.at - a.at).map(({ path }) => path);
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}
