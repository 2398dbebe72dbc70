/** The SDK in Chromium. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { after, before, beforeEach, it } from "node:test";
import { fileURLToPath } from "node:url";

import { nextLine, PYTHON, until, useFake } from "./fake.js";
import { FILES, ROOT } from "./vectors.js";

const SCRIPT = fileURLToPath(new URL("sdks/typescript/tests/browser.py", ROOT));
const MODULE = "/sdk/build/tests/page.js";

const fake = useFake();
let chromium: ChildProcess;
let lines: Interface;
before(async () => {
  chromium = spawn(PYTHON, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
  lines = createInterface({ input: chromium.stdout ?? process.stdin });
  await nextLine(chromium, lines);
});
after(async () => {
  const ended = once(chromium, "exit");
  chromium.stdin?.end();
  await ended;
});
beforeEach(async () => {
  await fake.renew();
  await order("one", "open", { url: `${fake.origin}/page` });
});

async function order(page: string, what: string, more: object = {}): Promise<unknown> {
  const responded = nextLine(chromium, lines);
  chromium.stdin?.write(`${JSON.stringify({ page, do: what, ...more })}\n`);
  return JSON.parse(await responded);
}

function call(page: string, name: string, ...args: unknown[]): Promise<unknown> {
  return order(page, "call", { call: [MODULE, name, args] });
}

function options(licenseKey: string): Record<string, unknown> {
  const serverBaseEndpoint = `${fake.origin}/api`;
  return { ...fake.facts, licenseKey, serverBaseEndpoint };
}

void it("verifies all license files as Node does", async () => {
  assert.deepEqual(await call("one", "wrongFiles", FILES.publicKey, FILES.cases), []);
});

void it("is one device across visits, and lives on its last verdict", async () => {
  const key = await fake.issue("Subscription");
  const first = (await call("one", "validate", options(key))) as Record<string, unknown>;
  assert.deepEqual([first["status"], first["source"], first["warnings"]], ["Valid", "server", []]);
  assert.match(String(first["hardwareId"]), /^h1b-[0-9a-f]{40}$/);
  await order("one", "open", { url: `${fake.origin}/page` });
  await fake.do("go_offline");
  const again = (await call("one", "validate", options(key))) as Record<string, unknown>;
  assert.deepEqual(
    [again["status"], again["cause"], again["hardwareId"]],
    ["GracePeriod", "ConnectionLost", first["hardwareId"]],
  );
});

void it("gives the seat back when the page goes away", async () => {
  const key = await fake.issue("Floating", { seats: 2 });
  await order("two", "open", { url: `${fake.origin}/page` });
  assert.deepEqual(await call("one", "open", options(key)), {
    kind: "Session",
    held: true,
    used: 1,
    total: 2,
  });
  await call("two", "open", options(key));
  const sessions = await fake.sessions(key);
  assert.equal(new Set(sessions.map((item) => item.instance_id)).size, 2);
  await order("two", "close");
  await until(async () => (await fake.sessions(key)).length === 1);
  await order("one", "open", { url: `${fake.origin}/page?elsewhere` });
  await until(async () => (await fake.sessions(key)).length === 0);
});

void it("charges, downloads and tracks", async () => {
  const key = await fake.issue("MeteredCount", { initial_meter_balance: 10 });
  await fake.do("lose_next_response", [], { on: "/meter/consume" });
  assert.equal(await call("one", "charge", options(key), "export"), "9");
  await fake.do("publish", ["1.1.0", { "data.bin": { $bytes: "new!", times: 300_000 } }]);
  assert.equal(await call("one", "download", options(key)), "new!".repeat(300_000));
  await call("one", "track", options(key));
  assert.equal(((await fake.do("telemetry")) as unknown[]).length, 1);
});
