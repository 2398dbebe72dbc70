/** Live sessions: heartbeats, losses, exits. Opening licenses of each model. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { beforeEach, it } from "node:test";

import {
  ApprovalPendingError,
  type LicetError,
  LicenseRefusedError,
  SeatsExhaustedError,
} from "../src/node/index.js";
import { temporaryFolder } from "./clients.js";
import { until, useFake } from "./fake.js";

const fake = useFake();
const FAST = { heartbeat_interval_seconds: 0.1, session_timeout_seconds: 0.5 };
beforeEach(() => fake.renew());

void it("holds a seat by heartbeats until it is closed", async (t) => {
  await fake.renew(FAST);
  const key = await fake.issue("Floating", { seats: 1 });
  await using client = fake.client(key, temporaryFolder(t));
  const session = await client.session().open();
  assert.ok(session.alive);
  assert.deepEqual([session.seatsUsed, session.seatsTotal], [1, 1]);
  await until(async () => (await fake.requests("/sessions/heartbeat")).length > 6);
  assert.equal((await fake.sessions(key)).length, 1);
  await session.close();
  await session.close();
  assert.ok(!session.alive);
  assert.equal((await fake.sessions(key)).length, 0);
});

void it("calls back once when the seat is lost, and once when it is regained", async (t) => {
  await fake.renew(FAST);
  const key = await fake.issue("Floating", { seats: 1 });
  const lost: LicetError[] = [];
  let regained = 0;
  await using client = fake.client(key, temporaryFolder(t));
  await using session = await client
    .session({ onLost: (error) => lost.push(error), onRegained: () => (regained += 1) })
    .open();
  await fake.of(key, "suspend");
  await until(() => lost.length > 0);
  assert.ok(lost[0] instanceof LicenseRefusedError);
  assert.ok(!session.alive);
  await fake.of(key, "reinstate");
  await until(() => regained > 0);
  assert.ok(session.alive);
  assert.deepEqual([lost.length, regained], [1, 1]);
});

void it("says that it was lost when no heartbeat arrives", async (t) => {
  await fake.renew(FAST);
  const key = await fake.issue("Floating", { seats: 1 });
  const lost: LicetError[] = [];
  await using client = fake.client(key, temporaryFolder(t));
  await using session = await client.session({ onLost: (error) => lost.push(error) }).open();
  await fake.do("go_offline", ["ConnectionLost"]);
  await until(() => lost.length > 0);
  assert.equal(lost[0]?.code, "SessionLost");
  await fake.do("go_online");
  await until(() => session.alive);
});

void it("reconnects in silence when the server has forgotten the session", async (t) => {
  await fake.renew(FAST);
  const key = await fake.issue("Floating", { seats: 1 });
  let lost = 0;
  await using client = fake.client(key, temporaryFolder(t));
  await using session = await client.session({ onLost: () => (lost += 1) }).open();
  const first = session.id;
  await fake.advance({ minutes: 5 });
  await until(() => session.id !== first);
  assert.equal(lost, 0);
});

void it("gives two copies two instances, and a restarted one its own", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", { seats: 3 });
  await using client = fake.client(key, folder);
  const [first, second] = [await client.session().open(), await client.session().open()];
  const [one, two] = (await fake.sessions(key)).map((item) => item.instance_id);
  assert.notEqual(one, two);
  await first.close();
  await using third = await client.session().open();
  assert.ok(third.alive && second.alive);
  const again = (await fake.sessions(key)).map((item) => item.instance_id);
  assert.deepEqual(again.sort(), [one, two].sort());
});

const WAYS: Readonly<Record<string, { script: string; signal?: NodeJS.Signals; ends: unknown }>> = {
  "runs out of work": { script: "", ends: [0, null] },
  "calls process.exit()": { script: "process.exit(3)", ends: [3, null] },
  throws: { script: "setTimeout(() => { throw new Error('expected') })", ends: [1, null] },
  "gets SIGTERM": {
    script: "setInterval(() => {}, 1000)",
    signal: "SIGTERM",
    ends: [null, "SIGTERM"],
  },
  "gets SIGHUP": {
    script: "setInterval(() => {}, 1000)",
    signal: "SIGHUP",
    ends: [null, "SIGHUP"],
  },
  "gets SIGINT": {
    script: "setInterval(() => {}, 1000)",
    signal: "SIGINT",
    ends: [null, "SIGINT"],
  },
  "handles SIGTERM itself": {
    script: "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000)",
    signal: "SIGTERM",
    ends: [7, null],
  },
};

for (const [way, { script, signal, ends }] of Object.entries(WAYS)) {
  void it(`gives the seat back when the process ${way}`, async (t) => {
    const key = await fake.issue("Floating", { seats: 1, device_proof: "Required" });
    const options = { ...fake.options(key, temporaryFolder(t)), clock: null };
    const entry = new URL("../src/node/index.js", import.meta.url).href;
    const program = `
      const { LicenseClient } = await import(${JSON.stringify(entry)});
      const client = new LicenseClient(${JSON.stringify(options)});
      await client.session().open();
      console.log("open");
      ${script}`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    await once(createInterface({ input: child.stdout }), "line");
    if (signal !== undefined) child.kill(signal);
    assert.deepEqual(await ended, ends);
    assert.deepEqual(await fake.sessions(key), []);
    assert.equal((await fake.requests("/sessions/disconnect")).length, 1);
  });
}

void it("opens a Floating license with a seat", async (t) => {
  const key = await fake.issue("Floating", { seats: 1 });
  await using desk = fake.client(key, temporaryFolder(t));
  await using laptop = fake.client(key, temporaryFolder(t), { hardwareId: "laptop" });
  {
    await using license = await desk.open();
    assert.deepEqual(license.seat, { kind: "Session", held: true, used: 1, total: 1 });
    await assert.rejects(laptop.open(), SeatsExhaustedError);
  }
  await using license = await laptop.open();
  assert.equal(license.type, "Floating");
});

void it("opens a Concurrent license by activating the device", async (t) => {
  const key = await fake.issue("Concurrent", { seats: 1 });
  await using client = fake.client(key, temporaryFolder(t), { seatMode: "Activation" });
  const license = await client.open();
  assert.deepEqual(license.seat, { kind: "Device", held: true, used: 1, total: 1 });
  await license.close();
  assert.equal((await client.validate()).status, "Valid");
  await license.release();
  assert.equal(license.seat.held, false);
  assert.equal((await client.validate()).status, "ActivationRequired");
});

void it("gives the seat of a short-lived machine back at the end", async (t) => {
  const key = await fake.issue("Concurrent", { seats: 1 });
  await using client = fake.client(key, temporaryFolder(t), { seatMode: "Session" });
  {
    await using seat = await client.seat();
    assert.ok(seat.alive && seat.session !== null);
  }
  assert.deepEqual(await fake.of(key, "devices"), []);
});

void it("opens a NodeLocked license once the vendor has approved the machine", async (t) => {
  const key = await fake.issue("NodeLocked", { binding_mode: "OwnerApproval" });
  await using client = fake.client(key, temporaryFolder(t));
  await assert.rejects(client.open(), ApprovalPendingError);
  await fake.control({ license: key, device: 0, name: "approve" });
  const license = await client.open();
  assert.equal(license.seat.kind, "Machine");
  assert.equal(license.seat.held, true);
});

void it("throws the status of a license that may not be used", async (t) => {
  const key = await fake.issue("Perpetual");
  await fake.of(key, "revoke");
  await using client = fake.client(key, temporaryFolder(t));
  await assert.rejects(client.open(), (error) => {
    assert.ok(error instanceof LicenseRefusedError);
    assert.equal(error.errorCode, "Revoked");
    assert.equal(error.result?.status, "Revoked");
    return true;
  });
});
