/** Resumable downloads to disk, verified by SHA-256 while they are received. */

import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { chunksOf, damaged, type Progress } from "../core/chunks.js";
import type { LicenseCore } from "../core/core.js";
import type { UpdateFile } from "../core/updates.js";

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
  const partial = join(dirname(target), `.${basename(target)}.${file.sha256.slice(0, 16)}.part`);
  const stream = await open(partial, "a+", 0o644);
  const digest = createHash("sha256");
  try {
    let received = await hashStored(stream, file.size, (bytes) => digest.update(bytes));
    await stream.truncate(received);
    for await (const chunk of chunksOf(core, file, received)) {
      await stream.appendFile(chunk);
      digest.update(chunk);
      received += chunk.length;
      progress?.(received, file.size);
    }
    await stream.sync();
  } finally {
    await stream.close();
  }
  if (digest.digest("hex") !== file.sha256) {
    await rm(partial, { force: true });
    throw damaged(file);
  }
  await rename(partial, target);
  return target;
}

/** Reads what an earlier download has stored; returns its length. */
async function hashStored(
  stream: FileHandle,
  size: number,
  update: (bytes: Buffer) => void,
): Promise<number> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let received = 0;
  while (received < size) {
    const wanted = Math.min(CHUNK_BYTES, size - received);
    const { bytesRead } = await stream.read(buffer, 0, wanted, received);
    if (bytesRead === 0) break;
    update(Buffer.from(buffer.subarray(0, bytesRead)));
    received += bytesRead;
  }
  return received;
}

function fileName({ name }: UpdateFile): string {
  if (!["", ".", ".."].includes(name) && !/[/\\\0:]/.test(name)) return name;
  throw new RangeError(
    `${JSON.stringify(name)} is not a valid file name here. Pass the path of the file instead of a ` +
      "folder.",
  );
}
