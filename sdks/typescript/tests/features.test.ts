/** Metering, telemetry, updates, and the background re-check. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, it } from "node:test";

import {
  ConnectionLostError,
  DamagedDownloadError,
  InsufficientBalanceError,
  type LicenseResult,
  UnexpectedReplyError,
} from "../src/node/index.js";
import type { Transport } from "../src/node/index.js";
import { temporaryFolder } from "./clients.js";
import { until, useFake } from "./fake.js";

const fake = useFake();
beforeEach(() => fake.renew());

void it("charges exactly once although the response is lost", async (t) => {
  const key = await fake.issue("MeteredCount", { initial_meter_balance: 10 });
  await using client = fake.client(key, temporaryFolder(t));
  await fake.do("lose_next_response", [], { on: "/meter/consume" });
  const charge = await client.consume("export");
  assert.ok(charge.replayed);
  assert.deepEqual([charge.cost, charge.balance, charge.quantity], ["1", "9", 1]);
  assert.deepEqual(await client.balance(), {
    licenseId: charge.licenseId,
    mode: "Count",
    balance: "9",
  });
});

void it("keeps amounts exact", async (t) => {
  await fake.do("set_price", ["render", "0.000001"]);
  const terms = { initial_meter_balance: 123456789012 };
  const key = await fake.issue("MeteredToken", terms);
  await using client = fake.client(key, temporaryFolder(t));
  const charge = await client.consume("render");
  assert.equal(charge.cost, "0.000001");
  assert.equal(charge.balance, "123456789011.999999");
});

void it("says what a charge would have cost", async (t) => {
  await fake.do("set_price", ["render", "0.25"]);
  const key = await fake.issue("MeteredToken", { initial_meter_balance: 10 });
  await using client = fake.client(key, temporaryFolder(t));
  await using license = await client.open();
  assert.equal(license.balance?.balance, "10");
  assert.equal((await license.consume("render", 30)).balance, "2.5");
  assert.equal(license.balance.balance, "2.5");
  await assert.rejects(license.consume("render", 30, { idempotencyKey: "order-1" }), (error) => {
    assert.ok(error instanceof InsufficientBalanceError);
    assert.deepEqual([error.cost, error.balance, error.replayed], ["7.5", "2.5", false]);
    assert.equal(error.idempotencyKey, "order-1");
    return true;
  });
  await assert.rejects(license.consume("render", 1, { idempotencyKey: "order-1" }), {
    code: "IdempotencyKeyReused",
  });
  await assert.rejects(license.consume("unknown"), { code: "PricingNotConfigured" });
  await assert.rejects(license.consume("render", 0), RangeError);
  await assert.rejects(license.consume("", 1), RangeError);
});

void it("does not take another charge's receipt", async (t) => {
  const receipt = {
    success: true,
    licenseId: "l",
    ledgerEntryId: "e",
    cost: 1,
    balance: 9,
    featureName: "export",
    quantity: 2,
  };
  const body = new TextEncoder().encode(JSON.stringify(receipt));
  const transport: Transport = {
    send: () => Promise.resolve({ status: 200, headers: {}, body }),
    close: () => undefined,
  };
  const key = await fake.issue("MeteredCount", { initial_meter_balance: 10 });
  await using client = fake.client(key, temporaryFolder(t), { transport });
  await assert.rejects(client.consume("export", 1), UnexpectedReplyError);
  await assert.rejects(client.consume("import", 2), UnexpectedReplyError);
  assert.equal((await client.consume("Export", 2)).balance, "9");
});

void it("sends events in the background, and nothing while it is off", async (t) => {
  const key = await fake.issue("Perpetual");
  await using off = fake.client(key, temporaryFolder(t));
  off.track("ignored");
  const client = fake.client(key, temporaryFolder(t), { telemetry: true });
  client.track("file.exported", { format: "pdf", pages: 12, draft: false, none: null, at: [1] });
  client.track("x".repeat(300));
  client.track("");
  await client.close();
  const events = (await fake.do("telemetry")) as { name: string; properties: object }[];
  assert.deepEqual(
    events.map((event) => event.name),
    ["file.exported", "x".repeat(100)],
  );
  assert.deepEqual(events[0]?.properties, { format: "pdf", pages: 12, draft: false, at: "1" });
});

void it("keeps events that cannot be sent, and splits large batches", async (t) => {
  const key = await fake.issue("Perpetual");
  const client = fake.client(key, temporaryFolder(t), { telemetry: true });
  for (let number = 0; number < 250; number += 1) client.track(`event ${number}`, { number });
  await until(async () => ((await fake.do("telemetry")) as unknown[]).length === 250);
  assert.equal((await fake.requests("/telemetry")).length, 3);
  await client.close();
});

void it("downloads an update, resumes it, and verifies it", async (t) => {
  const folder = temporaryFolder(t);
  const content = { $bytes: "new!", times: 700_000 };
  await fake.do("publish", ["1.1.0", { "setup.exe": content }], { platform: "windows-x64" });
  const key = await fake.issue("Perpetual");
  await using client = fake.client(key, folder, { appVersion: "1.0.0" });
  const update = await client.checkForUpdate({ platform: "windows-x64" });
  assert.ok(update.available);
  const [file] = update.files;
  assert.ok(file);
  const part = join(folder, `.setup.exe.${file.sha256.slice(0, 16)}.part`);
  writeFileSync(part, "new!new!");
  const seen: number[] = [];
  const path = await client.download(file, folder, (received) => seen.push(received));
  assert.equal(path, join(folder, "setup.exe"));
  assert.equal(readFileSync(path, "utf8"), "new!".repeat(700_000));
  assert.deepEqual([seen.length, seen.at(-1)], [3, file.size]);
  writeFileSync(part, "old!");
  await assert.rejects(client.download(file, folder), DamagedDownloadError);
  assert.ok(!existsSync(part));
  await fake.do("yank", ["1.1.0"]);
  await assert.rejects(client.download(file, folder), { code: "DownloadWithdrawn" });
  assert.equal((await client.checkForUpdate()).available, false);
  assert.ok(readdirSync(folder).includes("setup.exe"));
});

void it("gets a new address when that of the download has expired", async (t) => {
  const folder = temporaryFolder(t);
  await fake.do("publish", ["1.1.0", { "setup.exe": { $bytes: "new" } }]);
  await using client = fake.client(await fake.issue("Perpetual"), folder, { appVersion: "1.0.0" });
  const [file] = (await client.checkForUpdate()).files;
  assert.ok(file);
  await fake.advance({ minutes: 16 });
  assert.equal(readFileSync(await client.download(file, folder), "utf8"), "new");
});

void it("does not offer an update that is not signed as it is offered", async (t) => {
  await fake.do("publish", ["1.1.0", { "setup.exe": { $bytes: "new" } }]);
  const key = await fake.issue("Perpetual");
  await using client = fake.client(key, temporaryFolder(t), { appVersion: "1.0.0" });
  await fake.do("rotate_keys");
  await assert.rejects(client.checkForUpdate(), { code: "UntrustedUpdate" });
});

void it("watches in the background and calls back when something changes", async (t) => {
  const key = await fake.issue("Subscription");
  await using client = fake.client(key, temporaryFolder(t));
  const seen: string[] = [];
  const onChange = ({ status }: LicenseResult) => seen.push(status);
  const watch = client.watch({ onChange, everySeconds: 0.02, since: await client.validate() });
  await until(async () => (await fake.requests("/licenses/validate")).length > 4);
  assert.deepEqual(seen, []);
  await fake.of(key, "suspend");
  await until(() => seen.length > 0);
  await fake.of(key, "reinstate");
  await until(() => seen.length > 1);
  assert.deepEqual(seen, ["Suspended", "Valid"]);
  watch.stop();
  assert.equal(watch.result?.status, "Valid");
});

void it("lets a running check finish before it is closed", async (t) => {
  const folder = temporaryFolder(t);
  let proceed: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (proceed = resolve));
  let asked = false;
  const transport: Transport = {
    async send({ url, method, headers, body }) {
      asked = true;
      await allowed;
      const response = await fetch(url, { method, headers, body });
      const { status } = response;
      return { status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) };
    },
    close: () => undefined,
  };
  const client = fake.client(await fake.issue("Perpetual"), folder, { transport });
  const watch = client.watch({ onChange: () => undefined });
  await until(() => asked);
  const closed = client.close();
  proceed();
  await closed;
  assert.equal(watch.result?.status, "Valid");
  assert.match(readdirSync(folder).join(), /license-[0-9a-f]{8}\.state/);
});

void it("loses nothing when the server is away", async (t) => {
  await using client = fake.client(await fake.issue("Perpetual"), temporaryFolder(t));
  await fake.do("go_offline", ["ConnectionLost"]);
  await assert.rejects(client.validateOnline(), ConnectionLostError);
  assert.equal((await client.validate()).status, "OnlineRequired");
});
