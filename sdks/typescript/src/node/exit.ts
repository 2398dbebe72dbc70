/**
 * Releases seats when the process ends, unless it is killed.
 *
 * A process that runs out of work releases them before it ends. At `process.exit()`, after an
 * uncaught error, and at a signal that the application does not handle, nothing asynchronous runs any
 * more; there a short-lived child process makes the requests. The application's own signal handlers
 * are never replaced: then it decides how to end.
 */

import { spawnSync } from "node:child_process";
import { constants } from "node:os";

import type { ExitTarget } from "../core/platform.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const EXIT_MILLISECONDS = 2000;
// Certificate authorities that only this process knows are not known there, so the seat of such a
// server is released after its timeout.
const SENDER = `
const { default: http } = await import("node:http");
const { default: https } = await import("node:https");
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const send = ({ url, headers, body }) => new Promise((done) => {
  const request = (url.startsWith("https:") ? https : http).request(url, { method: "POST", headers }, (reply) => {
    reply.resume().on("close", done);
  });
  request.on("error", done).end(body);
});
await Promise.all(JSON.parse(Buffer.concat(chunks)).map(send));
`;

const targets = new Set<ExitTarget>();
const signalTargets = new Set<ExitTarget>();

/** Releases the seat at process exit; returns a function that ends this. */
export function watchExit(target: ExitTarget, signals: boolean): () => void {
  if (targets.size === 0) {
    process.on("beforeExit", releaseAll);
    process.on("exit", sendLastRequests);
  }
  targets.add(target);
  if (signals && signalTargets.size === 0) {
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  if (signals) signalTargets.add(target);
  return () => forget(target);
}

function forget(target: ExitTarget): void {
  targets.delete(target);
  signalTargets.delete(target);
  if (targets.size === 0) {
    process.off("beforeExit", releaseAll);
    process.off("exit", sendLastRequests);
  }
  if (signalTargets.size === 0) {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

function releaseAll(): void {
  for (const target of [...targets]) void target.release();
}

function sendLastRequests(): void {
  const requests = [...targets].flatMap((target) => target.lastRequest());
  targets.clear();
  if (requests.length === 0) return;
  spawnSync(process.execPath, ["--input-type=module", "--eval", SENDER], {
    input: JSON.stringify(requests),
    timeout: EXIT_MILLISECONDS,
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" },
    windowsHide: true,
  });
}

function onSignal(signal: NodeJS.Signals): void {
  // With a handler of its own, the application ends as it wants; then the exit releases the seats.
  if (process.listeners(signal).some((listener) => listener !== onSignal)) return;
  // A second signal ends the process at once.
  process.off(signal, onSignal);
  const released = Promise.allSettled([...signalTargets].map((target) => target.release()));
  const late = new Promise((resolve) => setTimeout(resolve, EXIT_MILLISECONDS));
  void Promise.race([released, late]).then(() => {
    targets.clear();
    if (process.pid === 1) {
      // The kernel does not let the first process of a container die of a signal.
      process.exit(128 + constants.signals[signal]);
    }
    process.kill(process.pid, signal);
  });
}
