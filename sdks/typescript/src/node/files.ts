/**
 * Opening every file that the SDK reads or writes.
 *
 * Another user of the machine may be able to create files in the same folder. No file is therefore
 * opened through a link, opening one never blocks, only regular files are used, and files that the SDK
 * changes must belong to this user and have no other name. A file is written under a random name, then
 * renamed; the rename replaces a link, never its target.
 */

import { constants, type Stats } from "node:fs";
import { copyFile, type FileHandle, link, lstat, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { type Bytes, randomHex } from "../core/bytes.js";
import type { Files } from "../core/platform.js";
import {
  accept,
  codeOf,
  inRealFolder,
  irregular,
  isPosix,
  isWritableByOthers,
  makeFolder,
  notOwn,
  ofAnother,
  OTHERS_MAY_WRITE,
  type Refusal,
  RefusedFile,
  untrusted,
} from "./ownership.js";

const PRIVATE = 0o600;
export const READABLE = 0o644;
// These are missing on Windows.
const { O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
const NEVER_BLOCKS = O_NONBLOCK | O_NOCTTY;
const SAFELY = NEVER_BLOCKS | O_NOFOLLOW;

/** The files of this user, which no other user may read. */
export const FILES: Files = {
  read: (path, limit) =>
    reading(limit, async () => openFile(await inRealFolder(path), lstat, SAFELY, notOwn)),
  async write(path, content) {
    await replace(await inRealFolder(path, makeFolder), content, PRIVATE);
  },
};

/**
 * The content of a file that was installed with the application; `null` if it does not exist. It is
 * trusted like the application's code, so links to it are followed.
 *
 * @throws Error It cannot be read, is not a regular file, or is larger than `limit` bytes.
 */
export function readInstalled(path: string, limit: number): Promise<Bytes | null> {
  return reading(limit, () => openFile(path, stat, NEVER_BLOCKS, irregular));
}

/**
 * Replaces license.bin atomically; creates missing folders. Other users may read it, unless the
 * existing file says otherwise; they may never change it. Returns why not, if another user has put
 * something in its place that cannot be replaced.
 *
 * @throws Error The write failed; an existing file is unchanged.
 */
export async function writeLicense(path: string, content: Bytes): Promise<string | null> {
  const real = await inRealFolder(path, makeFolder);
  const existing = await lstat(real).catch(() => null);
  const refusal = existing && untrusted(existing, await stat(dirname(real)));
  const mode = existing !== null && refusal === null ? existing.mode & 0o777 : READABLE;
  try {
    await replace(real, content, mode & ~OTHERS_MAY_WRITE);
  } catch (error) {
    if (refusal === null) throw error;
    return refusal;
  }
  return null;
}

/**
 * The content of a file that `createOnce()` has created; `null` if it does not exist.
 *
 * @throws Error It cannot be read.
 */
export function readSecret(path: string, limit: number): Promise<Bytes | null> {
  // It has two names for the moment in which another process creates it.
  return reading(limit, async () => openFile(await inRealFolder(path), lstat, SAFELY, ofAnother));
}

/**
 * Creates a file that only this user may read, whole and once: one that exists stays as it is,
 * although two processes may begin at the same time.
 *
 * @throws Error It cannot be created.
 */
export async function createOnce(path: string, content: Bytes): Promise<void> {
  const real = await inRealFolder(path, makeFolder);
  const temporary = await writeTemporary(real, content, PRIVATE);
  try {
    await link(temporary, real).catch((error: unknown) => {
      if (codeOf(error) === "EEXIST") throw error;
      // Not every file system has links.
      return copyFile(temporary, real, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(real));
}

/**
 * Opens a file of this user that exists.
 *
 * @throws Error It does not exist or cannot be opened.
 */
export async function openStored(path: string, purpose: "read" | "write"): Promise<FileHandle> {
  const mode = purpose === "read" ? constants.O_RDONLY : constants.O_RDWR;
  return openFile(await inRealFolder(path), lstat, mode | SAFELY, notOwn);
}

/**
 * Opens a file of this user for reading and writing; creates it if it does not exist.
 *
 * @throws RefusedFile There is something else under this name.
 */
export async function openOwn(path: string): Promise<FileHandle> {
  try {
    return await create(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return openFile(path, lstat, constants.O_RDWR | SAFELY, notOwn);
  }
}

/**
 * Opens the part of a download that is there already, or creates one. Only a part that this user has
 * created, and no one else can write to, is continued.
 */
export async function openPart(
  target: string,
  label: string,
): Promise<{ readonly path: string; readonly file: FileHandle }> {
  const stem = join(dirname(target), `.${basename(target)}.${label}`);
  const path = `${stem}.part`;
  let file: FileHandle;
  try {
    file = await openOwn(path);
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    const other = `${stem}.${randomHex(8)}.part`;
    return { path: other, file: await create(other) };
  }
  if (!isWritableByOthers(await file.stat())) return { path, file };
  await file.close();
  await rm(path);
  return { path, file: await create(path) };
}

/**
 * The content of license.bin. In a folder that others may write to, it has to belong to this user or to
 * root.
 *
 * @throws Error It cannot be read.
 */
export async function readTrusted(path: string, limit: number): Promise<Bytes | null> {
  return reading(limit, async () => {
    const real = await inRealFolder(path);
    const folder = await stat(dirname(real));
    return openFile(real, lstat, SAFELY, (found) => untrusted(found, folder));
  });
}

async function reading(limit: number, opening: () => Promise<FileHandle>): Promise<Bytes | null> {
  let file: FileHandle;
  try {
    file = await opening();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return null;
    throw error;
  }
  try {
    const content = await readUpTo(file, limit + 1);
    if (content.length > limit) throw new RefusedFile(`it is larger than ${limit} bytes`);
    return content;
  } finally {
    await file.close();
  }
}

async function openFile(
  path: string,
  look: (path: string) => Promise<Stats>,
  flags: number,
  refusal: Refusal,
): Promise<FileHandle> {
  // Looking first keeps devices closed; looking again judges the file that was opened.
  accept(await look(path), refusal);
  const file = await open(path, flags);
  try {
    accept(await file.stat(), refusal);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/** Creates a file that only this user may read. */
function create(path: string): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | SAFELY;
  return open(path, flags, PRIVATE);
}

async function replace(path: string, content: Bytes, mode: number): Promise<void> {
  const temporary = await writeTemporary(path, content, mode);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Writes a file under a random name next to the one that it shall become. */
async function writeTemporary(path: string, content: Bytes, mode: number): Promise<string> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomHex(8)}.tmp`);
  const file = await create(temporary);
  try {
    await file.writeFile(content);
    if (isPosix()) await file.chmod(mode).catch(() => undefined);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

async function readUpTo(file: FileHandle, limit: number): Promise<Bytes> {
  const buffer = new Uint8Array(Math.min(limit, (await file.stat()).size + 1));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.slice(0, length);
}

async function syncFolder(path: string): Promise<void> {
  // Only POSIX systems can open a folder; elsewhere the rename cannot be synced.
  try {
    const folder = await open(path);
    await folder.sync().finally(() => folder.close());
  } catch {
    // The rename is done; it only may not survive a power failure.
  }
}
