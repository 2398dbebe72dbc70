/** Atomic file replacement and bounded reads. */

import { chmod, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { type Bytes, randomHex } from "../core/bytes.js";
import type { Files } from "../core/platform.js";

export const FILES: Files = {
  async read(path, limit) {
    try {
      const file = await open(path);
      try {
        const content = await readUpTo(file, limit + 1);
        if (content.length > limit) throw new Error(`larger than ${limit} bytes`);
        return content;
      } finally {
        await file.close();
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw error;
    }
  },

  async write(path, content) {
    const target = await realpath(path).catch(() => path);
    const folder = dirname(target);
    await mkdir(folder, { recursive: true });
    // The mode of an existing file is kept, so that a file shared between users stays shared.
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => 0o644,
    );
    const temporary = join(folder, `.${basename(target)}.${randomHex(6)}.tmp`);
    try {
      await writeDurably(temporary, content);
      await chmod(temporary, mode).catch(() => undefined);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(folder);
  },
};

async function readUpTo(file: Awaited<ReturnType<typeof open>>, limit: number): Promise<Bytes> {
  const buffer = new Uint8Array(Math.min(limit, (await file.stat()).size + 1));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.slice(0, length);
}

async function writeDurably(path: string, content: Bytes): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
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
