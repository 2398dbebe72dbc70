/** The SDK in Chromium. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface, type Interface } from "node:readline";
import { after, before, beforeEach, it } from "node:test";
import { fileURLToPath } from "node:url";

import { endOf, nextLine, PYTHON, until, useFake } from "./fake.js";
import { FILES, ROOT } from "./vectors.js";

const SCRIPT = fileURLToPath(new URL("sdks/typescript/tests/browser.py", ROOT));
const MODULE = "/sdk/build/pages/page.js";
const REACT = "/sdk/build/pages/reactPage.js";

const fake = useFake();
let chromium: ChildProcess;
let lines: Interface;
before(async () => {
  chromium = spawn(PYTHON, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
  lines = createInterface({ input: chromium.stdout ?? process.stdin });
  await nextLine(chromium, lines);
});
after(() => endOf(chromium));
beforeEach(async () => {
  await fake.renew();
  await order("one", "open", { url: `${fake.origin}/page` });
  await order("one", "clear");
});

async function order(page: string, what: string, more: object = {}): Promise<unknown> {
  const responded = nextLine(chromium, lines);
  chromium.stdin?.write(`${JSON.stringify({ page, do: what, ...more })}\n`);
  const { ok, error } = JSON.parse(await responded) as { ok?: unknown; error?: string };
  if (error !== undefined) throw new Error(error);
  return ok;
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
  assert.match(String(first["jkt"]), /^[\w-]{43}$/);
  await order("one", "open", { url: `${fake.origin}/page` });
  await fake.do("go_offline");
  const again = (await call("one", "validate", options(key))) as Record<string, unknown>;
  assert.deepEqual(
    [again["status"], again["cause"], again["hardwareId"], again["jkt"]],
    ["GracePeriod", "ConnectionLost", first["hardwareId"], first["jkt"]],
  );
});

void it("gives the seat back when the page goes away", async () => {
  const key = await fake.issue("Floating", { seats: 2, device_proof: "Required" });
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

void it("loads what few applications use when it is used first", async () => {
  const key = await fake.issue("MeteredCount", { initial_meter_balance: 10 });
  await call("one", "validate", options(key));
  await order("one", "open", { url: `${fake.origin}/page` });
  await call("one", "validate", options(key));
  const parts = [
    "claimSeat",
    "faults",
    "liveSession",
    "metering",
    "refresh",
    "telemetry",
    "updates",
  ];
  const before = (await call("one", "loadedParts")) as string[];
  assert.deepEqual(
    parts.filter((name) => before.includes(name)),
    [],
  );
  await call("one", "charge", options(key), "export");
  assert.ok(((await call("one", "loadedParts")) as string[]).includes("metering"));
});

void it("goes on after a call that fails", async () => {
  await assert.rejects(call("one", "nothing of this name"));
  await assert.rejects(call("one", "validate", { productId: "" }), /ProductId is missing/);
  assert.ok(Array.isArray(await call("one", "loadedParts")));
});

/** What validates although the page has other storage than it should. */
const STORES: Readonly<Record<string, () => Promise<unknown>>> = {
  "a database of a later version": () => call("one", "replaceDatabase", 7),
  "a database without the store": () => call("one", "replaceDatabase", 1),
  "a deleted database": () => call("one", "remove"),
  "cleared data of the site": () => order("one", "clear"),
  "a key that cannot sign": () => call("one", "plantKey"),
};

for (const [name, change] of Object.entries(STORES)) {
  void it(`validates with ${name}`, async () => {
    const key = await fake.issue("Subscription");
    assert.equal((await result("validate", options(key)))["status"], "Valid");
    await change();
    assert.equal((await result("validate", options(key)))["status"], "Valid");
  });
}

void it("validates where nothing can be stored, and warns", async () => {
  const key = await fake.issue("Subscription");
  const nowhere = `${fake.origin}/page?csp=${encodeURIComponent("sandbox allow-scripts")}`;
  await order("one", "open", { url: nowhere });
  const { status, warnings } = await result("validate", options(key));
  assert.equal(status, "Valid");
  assert.match(String(warnings), /Nothing can be stored/);
});

void it("waits for no other page that occupies the database", async () => {
  const key = await fake.issue("Subscription");
  await call("one", "validate", options(key));
  await order("two", "open", { url: `${fake.origin}/page` });
  await call("two", "occupy");
  await assert.rejects(call("one", "remove"), /blocked/);
  await call("one", "hurry");
  assert.equal((await result("validate", options(key)))["status"], "Valid");
  await order("two", "close");
});

void it("works under a strict content security policy", async () => {
  const key = await fake.issue("MeteredCount", { initial_meter_balance: 10 });
  const policy =
    "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
  await order("one", "open", { url: `${fake.origin}/page?csp=${encodeURIComponent(policy)}` });
  assert.equal((await result("validate", options(key)))["status"], "Valid");
  assert.equal(await call("one", "charge", options(key), "export"), "9");
});

void it("says what is missing on a page without https", async () => {
  await order("one", "open", { url: `${fake.origin.replace("127.0.0.1", "plain.test")}/page` });
  assert.match(
    String(await call("one", "refused", options("k".repeat(20)))),
    /^Configuration.*https/,
  );
});

void it("takes no instance ID from the store that is none", async () => {
  const key = await fake.issue("Floating", { seats: 2 });
  const label = createHash("sha256").update(key.replaceAll("-", "")).digest("hex").slice(0, 8);
  const name = `licet-instance-${fake.facts.productId}-${label}-1`;
  await call("one", "validate", options(key));
  await call("one", "plant", { [name]: "x".repeat(5_000), "device-key": { toString: 1 } });
  await call("one", "open", options(key));
  const [session] = await fake.sessions(key);
  assert.match(String(session?.instance_id), /^[0-9a-f]{32}$/);
});

async function result(name: string, ...args: unknown[]): Promise<Record<string, unknown>> {
  return (await call("one", name, ...args)) as Record<string, unknown>;
}

interface Shown {
  readonly status: string | null;
  readonly [field: string]: unknown;
}

async function untilShown(status: string): Promise<Shown[]> {
  let shown: Shown[] = [];
  await until(async () => {
    shown = (await inReact("history")) as Shown[];
    return shown.at(-1)?.status === status;
  });
  return shown;
}

function inReact(name: string, ...args: unknown[]): Promise<unknown> {
  return order("one", "call", { call: [REACT, name, args] });
}

void it("gives components of React the license and its entitlements", async () => {
  const key = await fake.issue("Subscription", { features: { projects: 5 } });
  await inReact("mount", options(key), 3600);
  const [first, ...more] = await untilShown("Valid");
  const unknown = { status: null, error: null, checking: true };
  assert.deepEqual(first, { ...unknown, projects: 1, tier: "basic", mayExport: false });
  const known = { status: "Valid", error: null, checking: false };
  assert.deepEqual(more, [{ ...known, projects: 5, tier: "basic", mayExport: true }]);
  await fake.of(key, "suspend");
  await inReact("check");
  const last = (await untilShown("Suspended")).at(-1);
  assert.deepEqual(
    [last?.["checking"], last?.["projects"], last?.["mayExport"]],
    [false, 1, false],
  );
});

void it("watches the license while the provider is mounted", async () => {
  const key = await fake.issue("Subscription");
  await inReact("mount", options(key), 0.05);
  await untilShown("Valid");
  await fake.of(key, "suspend");
  await untilShown("Suspended");
  await inReact("unmount");
  const asked = async () => (await fake.requests("/licenses/validate")).length;
  const before = await asked();
  await inReact("pause", 0.5);
  assert.ok((await asked()) <= before + 1);
});

void it("tells components of React why there is no result", async () => {
  await inReact("mountBroken");
  await until(async () => {
    const last = ((await inReact("history")) as Shown[]).at(-1);
    return last?.["error"] === "LicenseFileError" && last["checking"] === false;
  });
  assert.match(String(await inReact("withoutProvider")), /needs a LicenseProvider/);
});
