/** Borrowed seats: what is kept of them, and what is sent. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, it } from "node:test";

import { hex, sha256, utf8 } from "../src/core/bytes.js";
import {
  type BorrowedSeat,
  type ClientOptions,
  LeaseRefusedError,
  LicenseFileError,
  NetworkError,
  SessionLostError,
  UnexpectedReplyError,
} from "../src/node/index.js";
import { clientIn, type OpenClient, temporaryFolder } from "./clients.js";
import { useFake } from "./fake.js";
import { LEASES } from "./vectors.js";

/** What file names have of a product. */
async function labelOf(productId: string): Promise<string> {
  return hex(await sha256(utf8(productId))).slice(0, 8);
}

void describe("the vectors of leases", () => {
  for (const { name, deviceKey, token, expected, at, ...options } of LEASES.tokens) {
    void it(`judges ${name}`, async (t) => {
      const folder = temporaryFolder(t);
      const name = `license-${await labelOf(options.productId)}.lease`;
      writeFileSync(join(folder, name), JSON.stringify({ token }));
      if (deviceKey !== null) {
        writeFileSync(join(folder, "device-key.json"), JSON.stringify(deviceKey));
      }
      const { publicKey } = LEASES;
      const client = clientIn(folder, null, { ...options, publicKey, clock: () => new Date(at) });
      const { valid, status, leaseEndsAt } = await client.validateOffline();
      const ends = expected.leaseEndsAt === null ? null : new Date(expected.leaseEndsAt);
      assert.deepEqual({ valid, status, leaseEndsAt }, { ...expected, leaseEndsAt: ends });
      const seat = await client.borrowedSeat();
      assert.deepEqual(seat?.endsAt ?? null, ends);
    });
  }
});

const fake = useFake();
beforeEach(() => fake.renew());
const TERMS = { seats: 2, max_borrow_days: 30 };

/** What the lease file in a folder says; `null` without one. */
function keptIn(folder: string): Record<string, unknown> | null {
  const name = readdirSync(folder).find((item) => item.endsWith(".lease"));
  const text = name === undefined ? null : readFileSync(join(folder, name), "utf8");
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

async function borrowed(client: OpenClient): Promise<BorrowedSeat> {
  return (await client.session().open()).borrow(14);
}

/** The bodies of what was sent to a route. */
async function sentTo(path: RegExp): Promise<Readonly<Record<string, unknown>>[]> {
  const all = await fake.requests();
  return all.filter((item) => path.test(item.path)).map(({ body }) => body);
}

const UNREACHABLE: ClientOptions = {
  transport: {
    send: () => Promise.reject(new NetworkError("The network is away.")),
    close: () => undefined,
  },
};

void it("borrows the seat of an open license, and opens it again without the server", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", TERMS);
  await using client = fake.client(key, folder);
  const license = await client.open();
  const seat = await license.borrow();
  assert.deepEqual(license.seat.held, true);
  await license.close();
  await using away = fake.client(key, folder, UNREACHABLE);
  await using again = await away.open();
  assert.deepEqual([again.status, again.seat.held], ["Valid", true]);
  assert.deepEqual(again.result.leaseEndsAt, seat.endsAt);
  await assert.rejects(again.borrow(), { errorCode: "LeaseLimitReached", httpStatus: 0 });
  await using other = await away.session().open();
  assert.deepEqual([other.alive, other.expiresAt], [true, seat.endsAt]);
  await fake.advance({ days: 14 });
  assert.equal(other.alive, false);
  assert.equal(await away.borrowedSeat(), null);
  assert.deepEqual(await sentTo(/disconnect/), []);
});

void it("renews one after the other where two copies of the application do so at once", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", TERMS);
  await using client = fake.client(key, folder);
  await using copy = fake.client(key, folder);
  const seat = await borrowed(client);
  const other = await copy.borrowedSeat();
  const before = seat.endsAt;
  await Promise.all([seat.renew(20), seat.renew(20), other?.renew(20)]);
  assert.ok(seat.endsAt > before);
  const sent = (await sentTo(/renew/)).map(({ seq }) => seq);
  assert.deepEqual(sent, [1, 2, 3]);
});

void it("keeps a return until the server has heard it, with the key of a lost renewal", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", TERMS);
  await using client = fake.client(key, folder);
  const seat = await borrowed(client);
  await fake.do("go_offline", ["ConnectionLost"]);
  await assert.rejects(seat.renew(20), NetworkError);
  await assert.rejects(seat.return(), NetworkError);
  const { returning, pending, ...rest } = keptIn(folder) ?? {};
  assert.deepEqual([typeof returning, rest], ["string", {}]);
  assert.equal((await client.validateOffline()).valid, false);
  await fake.do("go_online");
  assert.equal((await client.validate()).leaseEndsAt, null);
  const { idempotencyKey } = pending as Record<string, unknown>;
  assert.deepEqual((await sentTo(/return/)).at(-1), { receipt: returning, idempotencyKey });
  assert.equal(keptIn(folder), null);
  await seat.return();
  await assert.rejects(seat.renew(), { errorCode: "LeaseNotFound", httpStatus: 0 });
});

void it("keeps a lease that a wrong clock hides when another seat is refused", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", TERMS);
  let hours = 0;
  const clock = () => new Date(fake.clock().getTime() - hours * 3_600_000);
  await using client = fake.client(key, folder, { clock });
  const seat = await borrowed(client);
  hours = 30.3;
  assert.equal(await client.borrowedSeat(), null);
  const session = await client.session().open();
  await assert.rejects(session.borrow(), { errorCode: "LeaseLimitReached", httpStatus: 409 });
  hours = 0;
  assert.equal((await client.borrowedSeat())?.leaseId, seat.leaseId);
  assert.equal(keptIn(folder)?.["pending"], undefined);
});

void it("refuses an answer that is not the lease it has asked for, and keeps what it has", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", TERMS);
  await using client = fake.client(key, folder);
  await borrowed(client);
  const { token } = keptIn(folder) ?? {};
  let lease: unknown;
  const answer = () => ({ status: 200, headers: {}, body: utf8(JSON.stringify({ lease })) });
  const transport = { send: () => Promise.resolve(answer()), close: () => undefined };
  await using other = fake.client(key, folder, { transport });
  const seat = await other.borrowedSeat();
  assert.ok(seat !== null);
  for (lease of [undefined, 7, "a.b.c", LEASES.tokens[0]?.token]) {
    await assert.rejects(seat.renew(20), UnexpectedReplyError);
    assert.equal(keptIn(folder)?.["token"], token);
  }
  assert.equal(seat.seq, 1);
});

void it("sends nothing for days out of range, without a session, or without a place", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Floating", TERMS);
  await using client = fake.client(key, folder);
  const session = client.session();
  await assert.rejects(session.borrow(), SessionLostError);
  await session.open();
  for (const days of [0, 367, 1.5, NaN]) await assert.rejects(session.borrow(days), RangeError);
  await using perpetual = fake.client(await fake.issue("Perpetual"), temporaryFolder(t));
  await assert.rejects((await perpetual.open()).borrow(), LeaseRefusedError);
  const place = join(folder, `license-${await labelOf(fake.facts.productId)}.lease`);
  mkdirSync(place);
  await assert.rejects(session.borrow(), LicenseFileError);
  assert.deepEqual(await sentTo(/leases/), []);
  rmdirSync(place);
  assert.equal((await session.borrow()).seq, 1);
});
