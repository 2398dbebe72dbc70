/**
 * Opening every file that the SDK reads or writes.
 *
 * Another user of the machine may be able to create files in the same folder. No file is therefore
 * opened through a link, opening one never blocks, only regular files are used, and files that the SDK
 * changes must belong to this user and have no other name. A file is written under a random name, then
 * renamed; the rename replaces a link, never its target.
 */

import { constants, type Stats, statSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

import { type Bytes, randomHex } from "../core/bytes.js";
import type { Files, StoredLicense } from "../core/platform.js";

const PRIVATE = 0o600;
const READABLE = 0o644;
const FOLDER = 0o755;
const OTHERS_MAY_WRITE = 0o022;
const ALL_MAY_WRITE = 0o002;
const MAX_LINKS = 40;
const ROOT = 0;
// These are missing on Windows.
const { O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
const NEVER_BLOCKS = O_NONBLOCK | O_NOCTTY;
const SAFELY = NEVER_BLOCKS | O_NOFOLLOW;

type Refusal = (found: Stats) => string | null;

/** A file is not used, because another user may have created it; the message says why. */
export class RefusedFile extends Error {}

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
 * The content of license.bin, or of the one that was installed with the application if that is newer.
 * In a folder that others may write to, license.bin has to belong to this user or to root.
 *
 * @throws Error It cannot be read.
 */
export async function readLicense(
  own: string,
  installed: string | null,
  limit: number,
): Promise<StoredLicense> {
  let refused: string | null = null;
  for (const path of await newestFirst(own, installed)) {
    try {
      const content = await (path === own ? readTrusted(own, limit) : readInstalled(path, limit));
      if (content !== null) return { content, refused };
    } catch (reason) {
      if (!(reason instanceof RefusedFile)) throw reason;
      refused = `The license file ${path} is not used: ${reason.message}.`;
    }
  }
  return { content: null, refused };
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
 * Gives a finished file its name. Returns false if it is not the file that was open: another program
 * has replaced it.
 */
export async function publish(path: string, target: string, verified: Stats): Promise<boolean> {
  await rename(path, target);
  const { dev, ino } = await lstat(target);
  return dev === verified.dev && ino === verified.ino;
}

/** Lets every user read a file that is open. */
export async function makeReadable(file: FileHandle): Promise<void> {
  if (isPosix()) await file.chmod(READABLE).catch(() => undefined);
}

/**
 * A folder without the links on the way to it.
 *
 * @param missing Called with each folder on the way that does not exist.
 * @throws RefusedFile A link on the way belongs neither to this user nor to root.
 */
export async function realFolder(
  path: string,
  missing: (folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const absolute = resolve(path);
  let real = parse(absolute).root;
  let links = 0;
  const rest = absolute.slice(real.length).split(sep);
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const place = join(real, part);
    const found = await lstat(place).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    if (found === null) await missing(place);
    if (found === null || !found.isSymbolicLink() || !isPosix()) {
      real = place;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new RefusedFile(`the links at ${place} go round in circles`);
    if (!isOf(found, ROOT, currentUser())) {
      throw new RefusedFile(`${place} is a link of another user`);
    }
    const target = await readlink(place);
    if (isAbsolute(target)) real = parse(target).root;
    rest.unshift(...target.split(sep).filter((name) => name !== ""));
  }
  return real;
}

/** Creates a folder that others may not write to. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, FOLDER);
  } catch (error) {
    const isThere = (await lstat(folder).catch(() => null))?.isDirectory();
    if (isThere !== true) throw error;
  }
}

/** Whether every user of the machine may write to a folder. */
export function isShared(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return isPosix() && found !== undefined && (found.mode & ALL_MAY_WRITE) !== 0;
}

async function readTrusted(path: string, limit: number): Promise<Bytes | null> {
  return reading(limit, async () => {
    const real = await inRealFolder(path);
    const folder = await stat(dirname(real));
    return openFile(real, lstat, SAFELY, (found) => untrusted(found, folder));
  });
}

/** license.bin and the one next to the application, which comes first if it is newer. */
async function newestFirst(own: string, installed: string | null): Promise<string[]> {
  if (installed === null || own === installed) return [own];
  const [mine, theirs] = await Promise.all([own, installed].map(changedAt));
  return (theirs ?? 0) > (mine ?? 0) ? [installed, own] : [own, installed];
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
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

function accept(found: Stats, refusal: Refusal): void {
  const reason = refusal(found);
  if (reason !== null) throw new RefusedFile(reason);
}

function irregular(found: Stats): string | null {
  if (found.isSymbolicLink()) return "it is a link; name the file that it points to";
  return found.isFile() ? null : "it is not a regular file";
}

function notOwn(found: Stats): string | null {
  const isOwn = !isPosix() || isOf(found, currentUser());
  return irregular(found) ?? (isOwn ? alsoNamed(found) : "it belongs to another user");
}

function untrusted(found: Stats, folder: Stats): string | null {
  const reason = irregular(found) ?? alsoNamed(found);
  if (reason !== null || !isPosix() || isOf(found, ROOT, currentUser())) return reason;
  // Otherwise only the owner of the folder can have put it there.
  if (!isWritableByOthers(folder)) return null;
  return "it belongs to another user, and others may write to its folder";
}

function alsoNamed({ nlink }: Stats): string | null {
  // None at all: another process has just replaced the file.
  return nlink > 1 ? "it has another name as well (a hard link)" : null;
}

function isOf(found: Stats, ...users: number[]): boolean {
  return users.includes(found.uid);
}

function isWritableByOthers(found: Stats): boolean {
  return isPosix() && (found.mode & OTHERS_MAY_WRITE) !== 0;
}

function isPosix(): boolean {
  return process.platform !== "win32";
}

function currentUser(): number {
  return process.geteuid?.() ?? ROOT;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

async function inRealFolder(
  path: string,
  missing?: (folder: string) => Promise<void>,
): Promise<string> {
  return join(await realFolder(dirname(path), missing), basename(path));
}

async function replace(path: string, content: Bytes, mode: number): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomHex(8)}.tmp`);
  const file = await create(temporary);
  try {
    try {
      await file.writeFile(content);
      if (isPosix()) await file.chmod(mode).catch(() => undefined);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
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
