/** Reserved credits on this machine alone: the vectors, and what ends or happens at the same time. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it, type TestContext } from "node:test";

import { hex, sha256, utf8 } from "../src/core/bytes.js";
import {
  type ClientOptions,
  ConfigurationError,
  IdempotencyKeyReusedError,
  InsufficientBalanceError,
  LicenseFileError,
  type ReservedCredits,
} from "../src/node/index.js";
import { JournalFile } from "../src/node/journalFile.js";
import { clientIn, temporaryFolder } from "./clients.js";
import { JOURNALS, LEASES, type Reserved } from "./vectors.js";

interface Place {
  readonly folder: string;
  readonly options: ClientOptions;
  /** What the journal says, without its first line. */
  lines(): string[];
  readonly journal: string;
}

/** A folder with these files. */
async function placeOf(
  t: TestContext,
  { deviceKey, token, journal, reported, at, ...known }: Omit<Reserved, "name" | "expected">,
): Promise<Place> {
  const folder = temporaryFolder(t);
  const { productId, licenseKey, hardwareId, appVersion, testMode = false } = known;
  const stem = join(folder, `license-${hex(await sha256(utf8(productId))).slice(0, 8)}`);
  writeFileSync(`${stem}.credits`, JSON.stringify({ token, reported }));
  if (journal !== null) writeFileSync(`${stem}.journal`, journal);
  if (deviceKey !== null) {
    writeFileSync(join(folder, "device-key.json"), JSON.stringify(deviceKey));
  }
  const { publicKey } = LEASES;
  const clock = () => new Date(at);
  return {
    folder,
    options: { productId, licenseKey, hardwareId, appVersion, testMode, publicKey, clock },
    lines: () => readFileSync(`${stem}.journal`, "utf8").split("\n").slice(1),
    journal: `${stem}.journal`,
  };
}

function goodCase(): Reserved {
  const found = LEASES.credits.find(({ name }) => name === "good");
  assert.ok(found !== undefined);
  return found;
}

function viewOf(credits: ReservedCredits | null): object | null {
  if (credits === null) return null;
  const { leaseId, seq, amount, spent, remaining, unreported, endsAt } = credits;
  const ends = endsAt.toISOString().replace(".000", "");
  return { leaseId, seq, amount, spent, remaining, unreported, endsAt: ends };
}

for (const [set, cases] of [
  ["leases of credits", LEASES.credits],
  ["journals on disk", JOURNALS.files],
] as const) {
  void describe(`the vectors of ${set}`, () => {
    for (const { name, expected, ...kept } of cases) {
      void it(`judges ${name}`, async (t) => {
        const { folder, options } = await placeOf(t, kept);
        const client = clientIn(folder, null, options);
        const { valid, status, leaseEndsAt } = await client.validateOffline();
        const ends = leaseEndsAt?.toISOString().replace(".000", "") ?? null;
        const reserved = viewOf(await client.reservedCredits());
        assert.deepEqual({ valid, status, leaseEndsAt: ends, reserved }, expected);
      });
    }
  });
}

void describe("the vectors of chains", () => {
  for (const { name, charges, lines, spent, ...kept } of JOURNALS.chains) {
    void it(`writes ${name}`, async (t) => {
      const { journal } = goodCase();
      const { folder, options, ...place } = await placeOf(t, { ...kept, journal });
      let { at } = kept;
      const client = clientIn(folder, null, { ...options, clock: () => new Date(at) });
      for (const { featureName, quantity, idempotencyKey, ...when } of charges) {
        at = when.at;
        const made = await client.consume(featureName, quantity, { idempotencyKey });
        assert.deepEqual([made.reserved, made.replayed, made.quantity], [true, false, quantity]);
      }
      assert.deepEqual(place.lines(), [...lines, ""]);
      assert.equal((await client.reservedCredits())?.spent, spent);
    });
  }
});

/** A process that charges the credits in a folder, and prints the key of each charge that was made. */
function spender(t: TestContext, { folder, options }: Place, name: string, quantity: number) {
  const entry = new URL("../src/node/index.js", import.meta.url).href;
  const given = { ...options, licenseFile: join(folder, "license.bin"), clock: null };
  const program = `
    const { LicenseClient } = await import(${JSON.stringify(entry)});
    const clock = () => new Date(${JSON.stringify(goodCase().at)});
    const client = new LicenseClient({ ...${JSON.stringify(given)}, clock });
    for (let n = 1; ; n += 1) {
      const idempotencyKey = "${name}-" + n;
      try {
        await client.consume("export", ${quantity}, { idempotencyKey });
      } catch (error) {
        console.error(error.code);
        break;
      }
      console.log(idempotencyKey);
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  const keys: string[] = [];
  const errors: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (key) => keys.push(key));
  createInterface({ input: child.stderr }).on("line", (code) => errors.push(code));
  const ended = Promise.all([once(child, "close"), once(lines, "close")]);
  return { child, keys, errors, lines, ended };
}

void it("has each charge that a killed process has confirmed, and goes on after it", async (t) => {
  const place = await placeOf(t, goodCase());
  const { child, keys, lines, ended } = spender(t, place, "order", 1);
  lines.on("line", () => keys.length === 5 && child.kill("SIGKILL"));
  await ended;
  assert.ok(keys.length >= 5);
  const client = clientIn(place.folder, null, place.options);
  for (const idempotencyKey of keys) {
    assert.ok((await client.consume("export", 1, { idempotencyKey })).replayed, idempotencyKey);
  }
  const before = (await client.reservedCredits())?.spent;
  const made = await client.consume("export");
  assert.equal(Number(made.balance), 500 - Number(before) - 2.5);
  assert.equal(place.lines().length - 1, Number(before) / 2.5 + 1);
});

void it("spends what was reserved once where two processes spend it", async (t) => {
  const place = await placeOf(t, goodCase());
  const both = ["one", "other"].map((name) => spender(t, place, name, 1));
  await Promise.all(both.map(({ ended }) => ended));
  assert.deepEqual(
    both.map(({ errors }) => errors),
    [["InsufficientBalance"], ["InsufficientBalance"]],
  );
  const client = clientIn(place.folder, null, place.options);
  const left = await client.reservedCredits();
  assert.deepEqual([left?.spent, left?.remaining, left?.unreported], ["500", "0", 200]);
  const written = place.lines().slice(0, -1);
  const keys = written.map((line) => (JSON.parse(line) as { key: string }).key);
  assert.deepEqual(keys.sort(), both.flatMap((process) => process.keys).sort());
});

void it("puts a charge in the place of a line that was not finished", async (t) => {
  const place = await placeOf(t, goodCase());
  const client = clientIn(place.folder, null, place.options);
  await client.consume("export", 1, { idempotencyKey: "first" });
  appendFileSync(place.journal, `{"n":2,"feature":"export","quant${"\0".repeat(500)}`);
  const made = await client.consume("export", 3, { idempotencyKey: "second" });
  assert.deepEqual([made.replayed, made.cost, made.balance], [false, "7.5", "490"]);
  const again = clientIn(place.folder, null, place.options);
  assert.equal((await again.reservedCredits())?.unreported, 2);
  assert.deepEqual([place.lines().length, place.lines().at(-1)], [3, ""]);
});

void it("sees what another copy has written since, and a folder that was put back", async (t) => {
  const place = await placeOf(t, goodCase());
  const [client, copy] = [0, 1].map(() => clientIn(place.folder, null, place.options));
  assert.ok(client !== undefined && copy !== undefined);
  const snapshot = readFileSync(place.journal);
  await client.consume("export", 1, { idempotencyKey: "a" });
  await copy.consume("export", 2, { idempotencyKey: "b" });
  assert.equal((await client.reservedCredits())?.spent, "7.5");
  writeFileSync(place.journal, snapshot);
  await copy.consume("export", 1, { idempotencyKey: "c" });
  await client.consume("export", 2, { idempotencyKey: "d" });
  writeFileSync(place.journal, snapshot);
  await copy.consume("export", 1, { idempotencyKey: "e" });
  await copy.consume("export", 2, { idempotencyKey: "f" });
  assert.equal((await client.consume("export")).balance, "490");
  assert.equal((await copy.reservedCredits())?.unreported, 3);
});

void it("breaks no chain where copies cannot lock each other out", async (t) => {
  const path = join(temporaryFolder(t), "journal");
  const [one, other] = [new JournalFile(path), new JournalFile(path)];
  await one.create("lease");
  const line = (await one.read("lease"))?.next("export", 1, 5n, 0, "key") ?? "";
  await other.append("lease", line.replace(':"key"', ':"before"'));
  await assert.rejects(one.append("lease", line), LicenseFileError);
  assert.equal((await one.read("lease"))?.lines, 1);
  assert.equal((await new JournalFile(path).read("lease"))?.lines, 1);
});

void it("charges a key once, and nothing that the reservation does not have", async (t) => {
  const place = await placeOf(t, goodCase());
  const client = clientIn(place.folder, null, place.options);
  const options = { idempotencyKey: "order-1" };
  const first = await client.consume("EXPORT", 2, options);
  assert.equal(first.ledgerEntryId, `${(await client.reservedCredits())?.leaseId}/1`);
  assert.deepEqual([first.featureName, first.licenseId !== ""], ["export", true]);
  assert.deepEqual(await client.consume("export", 2, options), { ...first, replayed: true });
  for (const [feature, quantity] of [["render", 2] as const, ["export", 3] as const]) {
    await assert.rejects(client.consume(feature, quantity, options), (error) => {
      assert.ok(error instanceof IdempotencyKeyReusedError);
      assert.deepEqual([error.httpStatus, error.idempotencyKey], [0, "order-1"]);
      return true;
    });
  }
  await assert.rejects(client.consume("export", 199), (error) => {
    assert.ok(error instanceof InsufficientBalanceError);
    assert.deepEqual([error.cost, error.balance, error.httpStatus], ["497.5", "495", 0]);
    assert.ok(error.idempotencyKey);
    return true;
  });
  // What cannot be charged here is for the server, which is not set.
  await assert.rejects(client.consume("import"), ConfigurationError);
  await assert.rejects(client.consume("export", 0), RangeError);
  await assert.rejects(client.consume("export", 1, { idempotencyKey: "a\0b" }), ConfigurationError);
  assert.equal(place.lines().length, 2);
});
