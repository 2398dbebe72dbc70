/**
 * Instance IDs: one for each running copy of an application, stored for reuse.
 *
 * A copy that is restarted after a crash finds its ID and reclaims its seat; two running copies never
 * share an ID. While it is in use, the process listens at a local address that belongs to the ID's
 * file. The operating system frees the address however the process ends.
 *
 * Copies of a machine or of the folder begin with the same ID. The server then replaces the session of
 * one by that of the other, and says so to the one that was replaced, which takes a new ID.
 */

import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

import { randomHex } from "../core/bytes.js";
import { unstored } from "../core/liveSession.js";
import type { Instance } from "../core/platform.js";
import { openOwn } from "./files.js";
import { tryLock } from "./locks.js";
import { ciProject, THIS_MACHINE } from "./machine.js";
import { makeFolder, realFolder } from "./ownership.js";

const MAX_COPIES = 1024;

/**
 * Acquires the first stored ID in the folder, of this license key, that no running copy uses. If nothing can be stored, and
 * in CI, where folders are restored from caches, it is a random one that is not reused.
 */
export async function acquireInstance(folder: string, label = ""): Promise<Instance> {
  const stored = ciProject(THIS_MACHINE) === null ? await acquireStored(folder, label) : null;
  return stored ?? unstored();
}

async function acquireStored(folder: string, label: string): Promise<Instance | null> {
  const real = await realFolder(folder, makeFolder).catch(() => null);
  for (let number = 1; real !== null && number <= MAX_COPIES; number += 1) {
    const path = join(real, `licet-instance${label}-${number}.id`);
    const lock = await tryLock(path);
    if (lock === "taken") continue;
    if (lock === null) return null;
    const stored = await readOrCreate(path);
    if (stored === null) {
      lock.close();
      if (await exists(path)) continue; // not a file that this user has created
      return null;
    }
    const renew = async () => mixInHost(await store(path).catch(() => randomHex(16)));
    return { value: mixInHost(stored), renew, release: () => void lock.close() };
  }
  return null;
}

/** The file may be part of a container image, and its containers may run at the same time. */
function mixInHost(stored: string): string {
  return digest(`${stored}\0${hostname()}`).slice(0, 32);
}

/** Stores a new ID. */
async function store(path: string): Promise<string> {
  const file = await openOwn(path);
  try {
    const created = randomHex(16);
    await file.write(created, 0);
    return created;
  } finally {
    await file.close();
  }
}

async function readOrCreate(path: string): Promise<string | null> {
  try {
    const file = await openOwn(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
      const stored = buffer.toString("latin1", 0, bytesRead);
      if (bytesRead > 0) return /^[0-9a-f]{32}$/.test(stored) ? stored : null;
      const created = randomHex(16);
      await file.writeFile(created);
      return created;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
