/** Resumable downloads to disk, verified by SHA-256. */

import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, lstat, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { chunksOf, damaged, type Progress } from "../core/chunks.js";
import type { LicenseCore } from "../core/core.js";
import { DamagedDownloadError } from "../core/partErrors.js";
import type { UpdateFile } from "../core/updates.js";
import { openPart, READABLE } from "./files.js";
import { isPosix, realFolder } from "./ownership.js";

const CHUNK_BYTES = 1 << 20;

/** Downloads the missing part of a file, verifies all of it, and renames it to its final name. */
export async function download(
  core: LicenseCore,
  file: UpdateFile,
  path: string,
  progress?: Progress,
): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const target = isFolder ? join(path, fileName(file)) : path;
  const real = join(await realFolder(dirname(target)), basename(target));
  const part = await openPart(real, file.sha256.slice(0, 16));
  const stream = part.file;
  let verified: Stats | null;
  try {
    let received = Math.min((await stream.stat()).size, file.size);
    await stream.truncate(received);
    for await (const chunk of chunksOf(core, file, received)) {
      received += await writeAll(stream, chunk, received);
      progress?.(received, file.size);
    }
    await stream.sync();
    // What was received need not be what is on the disk.
    const isIntact = (await digestOf(stream, file.size)) === file.sha256;
    await makeReadable(stream);
    verified = isIntact ? await stream.stat() : null;
  } finally {
    await stream.close();
  }
  if (verified === null) {
    await rm(part.path, { force: true });
    throw damaged(file);
  }
  if (await publish(part.path, real, verified)) return target;
  throw new DamagedDownloadError(
    `Another program has replaced ${file.name} during the download. Download it into a folder that ` +
      "only this user can write to.",
  );
}

async function writeAll(stream: FileHandle, chunk: Uint8Array, position: number): Promise<number> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await stream.write(chunk, written, null, position + written);
    written += bytesWritten;
  }
  return written;
}

async function digestOf(stream: FileHandle, size: number): Promise<string> {
  const digest = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK_BYTES);
  // What lies behind the expected end must not be there.
  for (let position = 0; position <= size;) {
    const { bytesRead } = await stream.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    digest.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return digest.digest("hex");
}

/**
 * Gives a finished file its name. Returns false if it is not the file that was open: another program
 * has replaced it.
 */
async function publish(path: string, target: string, verified: Stats): Promise<boolean> {
  await rename(path, target);
  const { dev, ino } = await lstat(target);
  return dev === verified.dev && ino === verified.ino;
}

/** Lets every user read a file that is open. */
async function makeReadable(file: FileHandle): Promise<void> {
  if (isPosix()) await file.chmod(READABLE).catch(() => undefined);
}

function fileName({ name }: UpdateFile): string {
  if (!["", ".", ".."].includes(name) && !/[/\\\0:]/.test(name)) return name;
  throw new RangeError(
    `${JSON.stringify(name)} is not a valid file name here. Pass the path of the file instead of a ` +
      "folder.",
  );
}
