/**
 * Locks between the processes of a machine: a local address that belongs to a path.
 *
 * The operating system frees the address however the process ends.
 */

import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sleep } from "../core/time.js";

const PAUSE_SECONDS = 0.05;
/** Longer than what holds a lock takes. */
const PATIENCE = 1200;

/** Takes the lock of a path; `null` if that is not possible here. */
export function tryLock(path: string): Promise<Server | "taken" | null> {
  return listen(addressOf(path));
}

/** Does something when no other process does that. */
export async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  let lock = await tryLock(path);
  for (let tries = 0; lock === "taken" && tries < PATIENCE; tries += 1) {
    await sleep(PAUSE_SECONDS);
    lock = await tryLock(path);
  }
  try {
    return await work();
  } finally {
    if (lock !== "taken") lock?.close();
  }
}

function addressOf(path: string): string {
  const name = `licet-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/** Listens at a local address; `null` if that is not possible here. */
async function listen(address: string, again = true): Promise<Server | "taken" | null> {
  const server = createServer((socket) => socket.destroy());
  const code = await new Promise<string | undefined>((done) => {
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code));
    server.listen({ path: address, exclusive: true }, () => done(undefined));
  });
  if (code === undefined) return server.unref();
  if (code !== "EADDRINUSE") return null;
  // A socket file outlives its process; then nobody answers there.
  if (!address.startsWith("/") || !again || (await answers(address))) return "taken";
  await rm(address, { force: true });
  return listen(address, false);
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
