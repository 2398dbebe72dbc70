/** What the SDK accepts in a folder where other users may have created files. */

import { type Stats, statSync } from "node:fs";
import { lstat, mkdir, readlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

export const OTHERS_MAY_WRITE = 0o022;
const ALL_MAY_WRITE = 0o002;
const FOLDER = 0o755;
const MAX_LINKS = 40;
const ROOT = 0;

/** Why a file is not used; `null` if it may be. */
export type Refusal = (found: Stats) => string | null;

/** A file is not used, because another user may have created it; the message says why. */
export class RefusedFile extends Error {}

export function accept(found: Stats, refusal: Refusal): void {
  const reason = refusal(found);
  if (reason !== null) throw new RefusedFile(reason);
}

export function irregular(found: Stats): string | null {
  if (found.isSymbolicLink()) return "it is a link; name the file that it points to";
  return found.isFile() ? null : "it is not a regular file";
}

export function notOwn(found: Stats): string | null {
  return ofAnother(found) ?? alsoNamed(found);
}

export function ofAnother(found: Stats): string | null {
  const isOwn = !isPosix() || isOf(found, currentUser());
  return irregular(found) ?? (isOwn ? null : "it belongs to another user");
}

export function untrusted(found: Stats, folder: Stats): string | null {
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

export function isWritableByOthers(found: Stats): boolean {
  return isPosix() && (found.mode & OTHERS_MAY_WRITE) !== 0;
}

export function isPosix(): boolean {
  return process.platform !== "win32";
}

function currentUser(): number {
  return process.geteuid?.() ?? ROOT;
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
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
  try {
    return isPosix() && (statSync(folder).mode & ALL_MAY_WRITE) !== 0;
  } catch {
    return false;
  }
}

export async function inRealFolder(
  path: string,
  missing?: (folder: string) => Promise<void>,
): Promise<string> {
  return join(await realFolder(dirname(path), missing), basename(path));
}
