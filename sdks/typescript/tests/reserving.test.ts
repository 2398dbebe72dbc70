/** Reserving credits, and reporting, renewing and returning them. */

import assert from "node:assert/strict";
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, it, type TestContext } from "node:test";

import { utf8 } from "../src/core/bytes.js";
import {
  type ClientOptions,
  LeaseRefusedError,
  LicenseFileError,
  NetworkError,
  type ReservedCredits,
  ServerRefusedError,
  type TransportReply,
  type TransportRequest,
  UnexpectedReplyError,
} from "../src/node/index.js";
import { type OpenClient, temporaryFolder } from "./clients.js";
import { type Recorded, useFake } from "./fake.js";

const OTHER_USER = 65534;
const fake = useFake();
beforeEach(async () => {
  await fake.renew();
  await fake.do("set_price", ["export", "2.5"]);
});

/** A license with 1000 credits, of which this many may be reserved. */
async function issue(terms: object = {}): Promise<string> {
  const given = { max_borrow_days: 30, max_offline_credits: 600, ...terms };
  return fake.issue("MeteredToken", given);
}

const UNREACHABLE: ClientOptions = {
  transport: {
    send: () => Promise.reject(new ServerRefusedError("Nobody is there.")),
    close: () => undefined,
  },
};

/** What the files in a folder say; `null` without them. */
function keptIn(folder: string): Record<string, unknown> | null {
  const name = readdirSync(folder).find((item) => item.endsWith(".credits"));
  const text = name === undefined ? null : readFileSync(join(folder, name), "utf8");
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

/** Passes requests on to the fake, and gives another answer where `change` has one. */
function passing(change: (reply: TransportReply) => TransportReply): ClientOptions {
  const send = async ({ url, method, headers, body }: TransportRequest) => {
    const reply = await fetch(url, { method, headers, body });
    const content = new Uint8Array(await reply.arrayBuffer());
    const { status } = reply;
    return change({ status, headers: Object.fromEntries(reply.headers), body: content });
  };
  return { transport: { send, close: () => undefined } };
}

async function sentTo(path: RegExp): Promise<Recorded[]> {
  return (await fake.requests()).filter((item) => path.test(item.path));
}

async function leases(key: string): Promise<Record<string, unknown>[]> {
  return (await fake.of(key, "leases")) as Record<string, unknown>[];
}

async function started(t: TestContext, terms: object = {}) {
  const folder = temporaryFolder(t);
  const key = await issue(terms);
  const client = fake.client(key, folder);
  t.after(() => client.close());
  return { folder, key, client };
}

async function reserved(client: OpenClient): Promise<ReservedCredits> {
  return client.reserve(500, { days: 14 });
}

function numbers(credits: ReservedCredits | null): unknown[] {
  assert.ok(credits !== null);
  const { seq, amount, spent, remaining, unreported } = credits;
  return [seq, amount, spent, remaining, unreported];
}

void it("spends what is reserved without the server, and returns the rest", async (t) => {
  const { folder, key, client } = await started(t);
  const credits = await client.reserve("500.50", { days: 14 });
  assert.deepEqual(numbers(credits), [1, "500.5", "0", "500.5", 0]);
  assert.equal((await client.balance()).balance, "499.5");
  await using away = fake.client(key, folder, UNREACHABLE);
  await using license = await away.open();
  assert.deepEqual(license.result.leaseEndsAt, credits.endsAt);
  const made = await license.consume("export", 4);
  assert.deepEqual([made.cost, made.balance, made.reserved], ["10", "490.5", true]);
  assert.deepEqual(numbers(await client.reservedCredits()), [1, "500.5", "10", "490.5", 1]);
  await credits.return();
  assert.equal((await client.balance()).balance, "990");
  assert.deepEqual(
    readdirSync(folder).filter((name) => /credits|journal/.test(name)),
    [],
  );
  assert.equal((await client.consume("export")).reserved, false);
  const [lease] = await leases(key);
  assert.deepEqual([lease?.["state"], lease?.["settled_lines"]], ["Returned", 1]);
  await credits.return();
});

void it("keeps the balance of an open license when reserved credits are charged", async (t) => {
  const { client } = await started(t);
  await using license = await client.open();
  await reserved(client);
  assert.equal((await license.consume("export")).balance, "497.5");
  assert.equal(license.balance?.balance, "1000");
});

void it("asks the server for what goes beyond the rest, and for what was not reserved", async (t) => {
  const { folder, key, client } = await started(t);
  await reserved(client);
  await fake.do("set_price", ["render", 1]);
  const render = await client.consume("render");
  assert.deepEqual([render.reserved, render.balance], [false, "499"]);
  await assert.rejects(client.consume("export", 201, { idempotencyKey: "k" }), {
    cost: "502.5",
    balance: "499",
    httpStatus: 402,
  });
  await using away = fake.client(key, folder, { ...UNREACHABLE, timeoutSeconds: 0.5 });
  await assert.rejects(away.consume("export", 201), { cost: "502.5", balance: "500" });
  await fake.do("go_offline", ["ConnectionLost"]);
  await using unsure = fake.client(key, folder, { timeoutSeconds: 0.5 });
  await assert.rejects(unsure.consume("export", 201), NetworkError);
});

void it("reports in parts of 500 lines, and only what the server does not have", async (t) => {
  const { key, client } = await started(t, { max_offline_credits: 1000 });
  await fake.do("set_price", ["export", "0.5"]);
  const credits = await client.reserve(1000, { days: 7 });
  await client.consume("export");
  await credits.report();
  assert.deepEqual(numbers(credits), [1, "1000", "0.5", "999.5", 0]);
  for (let n = 0; n < 1001; n += 1) await client.consume("export");
  await credits.return();
  const sent = await sentTo(/\/(report|return)$/);
  const sizes = sent.map(({ path, body }) => [
    path.replace(/.*\//, ""),
    (body["journal"] as string[]).length,
  ]);
  assert.deepEqual(sizes, [
    ["report", 1],
    ["report", 500],
    ["report", 500],
    ["return", 1],
  ]);
  assert.equal((await leases(key))[0]?.["settled_lines"], 1002);
});

void it("keeps a return and its charges until the server has heard them", async (t) => {
  const { folder, client, key } = await started(t);
  const credits = await reserved(client);
  await client.consume("export", 2);
  await fake.do("go_offline", ["ConnectionLost"]);
  await assert.rejects(credits.renew(20), NetworkError);
  await assert.rejects(credits.return(), NetworkError);
  const { returning, ...rest } = keptIn(folder) ?? {};
  assert.deepEqual([typeof returning, rest], ["string", {}]);
  assert.equal(await client.reservedCredits(), null);
  assert.equal((await client.validateOffline()).leaseEndsAt, null);
  await fake.do("go_online");
  assert.equal((await client.validate()).leaseEndsAt, null);
  assert.equal((await sentTo(/return$/)).at(-1)?.body["receipt"], returning);
  assert.equal(keptIn(folder), null);
  assert.equal((await client.balance()).balance, "995");
  assert.equal((await leases(key))[0]?.["state"], "Returned");
  await assert.rejects(credits.report(), { errorCode: "LeaseNotFound", httpStatus: 0 });
});

for (const route of ["leases", "renew", "report", "return"]) {
  void it(`makes nothing twice when the answer of ${route} is lost`, async (t) => {
    const { key, client } = await started(t);
    const lose = (on: string) => fake.do("lose_next_response", [], { on });
    if (route === "leases") await lose("/leases");
    const credits = await reserved(client);
    await client.consume("export", 2);
    if (route !== "leases") await lose(`/leases/${credits.leaseId}/${route}`);
    if (route === "renew") await credits.renew(20);
    if (route === "report") await credits.report();
    if (route === "return") await credits.return();
    const sent = (await sentTo(new RegExp(`/${route}$`))).map(({ body }) => JSON.stringify(body));
    assert.deepEqual([sent.length, new Set(sent).size], [2, 1]);
    const [lease, ...others] = await leases(key);
    assert.deepEqual([lease?.["seq"], others], [route === "renew" ? 2 : 1, []]);
    assert.equal((await client.balance()).balance, route === "return" ? "995" : "500");
  });
}

void it("asks for the same reservation again after a restart", async (t) => {
  const { folder, client, key } = await started(t);
  let isLost = true;
  const lossyPath = passing((reply) => {
    if (isLost) throw new NetworkError("The answer is lost.");
    return reply;
  });
  await using lossy = fake.client(key, folder, lossyPath);
  await assert.rejects(lossy.reserve(500), NetworkError);
  assert.deepEqual((keptIn(folder)?.["pending"] as { amount: string }).amount, "500");
  const credits = await client.reserve(100);
  assert.equal(credits.amount, "500");
  await client.consume("export");
  await using again = fake.client(key, folder, lossyPath);
  const held = await again.reservedCredits();
  await assert.rejects(held?.renew(20) ?? Promise.resolve(), NetworkError);
  isLost = false;
  await held?.report();
  assert.deepEqual(numbers(held), [1, "500", "2.5", "497.5", 0]);
  assert.equal((await client.balance()).balance, "500");
});

void it("is refused by the server where a folder that was put back has spent again", async (t) => {
  const { folder, client, key } = await started(t);
  const credits = await reserved(client);
  const copy = temporaryFolder(t);
  cpSync(folder, copy, { recursive: true });
  await client.consume("export", 2);
  await credits.report();
  await using restored = fake.client(key, copy);
  await restored.consume("export", 3);
  const again = await restored.reservedCredits();
  assert.ok(again !== null);
  for (const ask of [() => again.report(), () => again.renew(20)]) {
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof LeaseRefusedError);
      return error.errorCode === "LeaseForked";
    });
  }
  assert.equal((await leases(key))[0]?.["state"], "Forked");
});

void it("sends all lines again to a server that has lost some", async (t) => {
  const { folder, client, key } = await started(t);
  await reserved(client);
  let refusals = 0;
  const forgetful = passing((reply) => {
    refusals -= 1;
    return refusals === 0 ? { ...reply, status: 400, body: utf8("{}") } : reply;
  });
  await using other = fake.client(key, folder, forgetful);
  const credits = await other.reservedCredits();
  await other.consume("export");
  await other.consume("export");
  await credits?.report();
  await other.consume("export");
  refusals = 1;
  await credits?.report();
  const sizes = (await sentTo(/report$/)).map(({ body }) => (body["journal"] as string[]).length);
  assert.deepEqual([sizes, credits?.unreported], [[2, 1, 3], 0]);
});

void it("drops what the vendor has ended by force, and keeps what was recalled", async (t) => {
  const { folder, client, key } = await started(t);
  const credits = await reserved(client);
  await client.consume("export");
  await fake.control({ license: key, lease: 0, name: "recall" });
  await assert.rejects(credits.renew(20), { errorCode: "LeaseLimitReached", httpStatus: 409 });
  assert.deepEqual(numbers(await client.reservedCredits()), [1, "500", "2.5", "497.5", 0]);
  await client.consume("export");
  await fake.control({ license: key, lease: 0, name: "recall", terms: { force: true } });
  await assert.rejects(credits.report(), { errorCode: "LeaseNotFound" });
  assert.deepEqual([await client.reservedCredits(), keptIn(folder)], [null, null]);
  assert.equal((await reserved(client)).remaining, "500");
});

void it("returns by itself what has ended, and what was spent until then is charged", async (t) => {
  const { client, key } = await started(t);
  const credits = await client.reserve(100, { days: 2 });
  await client.consume("export", 2, { idempotencyKey: "order-1" });
  await fake.advance({ days: 3 });
  assert.equal((await client.consume("export")).reserved, false);
  assert.ok((await client.consume("export", 2, { idempotencyKey: "order-1" })).reserved);
  await fake.do("go_offline");
  assert.equal(await client.reservedCredits(), null);
  await fake.do("go_online");
  assert.deepEqual([(await client.validate()).leaseEndsAt, credits.unreported], [null, 1]);
  assert.deepEqual(
    (await leases(key)).map(({ state }) => state),
    ["Returned"],
  );
  assert.equal((await client.balance()).balance, "992.5");
});

void it("returns what has ended before it reserves again", async (t) => {
  const { client, key } = await started(t);
  await client.reserve(100, { days: 2 });
  await client.consume("export", 2);
  await assert.rejects(client.reserve(100), { errorCode: "LeaseLimitReached", httpStatus: 0 });
  await fake.advance({ days: 3 });
  assert.equal((await client.reserve(200)).amount, "200");
  assert.deepEqual(
    (await leases(key)).map(({ state }) => state),
    ["Returned", "Open"],
  );
  assert.equal((await client.balance()).balance, "795");
});

void it("sends nothing for amounts and days out of range", async (t) => {
  const { client } = await started(t);
  for (const amount of [0, -1, NaN, Infinity, 1e21, 0.1 + 0.2, "", "1e2", "5 ", "0.0000001"]) {
    await assert.rejects(client.reserve(amount), RangeError, String(amount));
  }
  await assert.rejects(client.reserve("1234567890123.123456"), RangeError);
  for (const days of [0, 367, 1.5]) await assert.rejects(client.reserve(1, { days }), RangeError);
  assert.deepEqual(await sentTo(/leases/), []);
  assert.equal((await client.reserve("0012.500")).amount, "12.5");
});

void it("says what the server does not reserve, and keeps nothing of it", async (t) => {
  const { folder, client } = await started(t);
  await assert.rejects(client.reserve(601), { errorCode: "LeaseLimitReached", httpStatus: 409 });
  await assert.rejects(client.reserve(5, { days: 31 }), { errorCode: "LeaseLimitReached" });
  await client.consume("export", 300);
  await assert.rejects(client.reserve(300), { code: "InsufficientBalance", balance: "250" });
  assert.equal(keptIn(folder), null);
});

void it("refuses an answer that is not the reservation it has asked for", async (t) => {
  const { folder, client, key } = await started(t);
  await reserved(client);
  const { token } = keptIn(folder) ?? {};
  const answers = [{}, { lease: 7 }, { lease: token }];
  for (const answer of answers) {
    const body = utf8(JSON.stringify(answer));
    const send = () => Promise.resolve({ status: 200, headers: {}, body });
    const other = temporaryFolder(t);
    cpSync(join(folder, "device-key.json"), join(other, "device-key.json"));
    const transport = { send, close: () => undefined };
    await using fooled = fake.client(key, other, { transport });
    await assert.rejects(fooled.reserve(400), UnexpectedReplyError);
    assert.deepEqual(Object.keys(keptIn(other) ?? {}), ["pending"]);
    await using thief = fake.client(key, folder, { transport });
    const credits = await thief.reservedCredits();
    await thief.consume("export");
    await assert.rejects(credits?.report() ?? Promise.resolve(), UnexpectedReplyError);
  }
  assert.equal((await client.reservedCredits())?.unreported, 3);
});

void it("keeps what it has where nothing can be written, and asks the server instead", async (t) => {
  const { folder, client, key } = await started(t);
  const credits = await reserved(client);
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  const isRoot = process.geteuid?.() === 0;
  for (const path of paths) {
    chmodSync(path, path === folder ? 0o555 : 0o444);
    if (isRoot) chownSync(path, OTHER_USER, OTHER_USER);
  }
  await using away = fake.client(key, folder, { serverBaseEndpoint: null });
  try {
    if (isRoot) process.seteuid?.(OTHER_USER);
    assert.equal((await away.validateOffline()).valid, true);
    assert.deepEqual(numbers(await away.reservedCredits()), [1, "500", "0", "500", 0]);
    await assert.rejects(away.consume("export"), LicenseFileError);
    assert.equal((await client.consume("export")).balance, "497.5");
    await assert.rejects(credits.return(), LicenseFileError);
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
  assert.equal((await leases(key))[0]?.["state"], "Open");
});

void it("cannot return credits without their journal", async (t) => {
  const { folder, client } = await started(t);
  const credits = await reserved(client);
  const journal = readdirSync(folder).find((name) => name.endsWith(".journal")) ?? "";
  rmSync(join(folder, journal));
  await assert.rejects(credits.return(), LicenseFileError);
  assert.equal(await client.reservedCredits(), null);
  assert.equal((await client.consume("export")).reserved, false);
});
