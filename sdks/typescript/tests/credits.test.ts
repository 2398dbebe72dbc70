/** Reserved credits: what is kept of them, and how they are spent. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";

import { hex, sha256, utf8 } from "../src/core/bytes.js";
import type { ReservedCredits } from "../src/node/index.js";
import { clientIn, type OpenClient, temporaryFolder } from "./clients.js";
import { JOURNALS, LEASES } from "./vectors.js";

interface Kept {
  readonly productId: string;
  readonly licenseKey: string;
  readonly hardwareId: string;
  readonly appVersion: string | null;
  readonly testMode?: boolean;
  readonly at: string;
  readonly deviceKey: object | null;
  readonly token: string;
  readonly journal: string | null;
  readonly reported?: number;
}

/** A client whose folder has these files. */
async function clientWith(
  t: TestContext,
  { productId, deviceKey, token, journal, reported, at, ...options }: Kept,
  clock = () => new Date(at),
): Promise<{ client: OpenClient; stem: string }> {
  const folder = temporaryFolder(t);
  const stem = join(folder, `license-${hex(await sha256(utf8(productId))).slice(0, 8)}`);
  writeFileSync(`${stem}.credits`, JSON.stringify({ token, reported }));
  if (journal !== null) writeFileSync(`${stem}.journal`, journal);
  if (deviceKey !== null) {
    writeFileSync(join(folder, "device-key.json"), JSON.stringify(deviceKey));
  }
  const { licenseKey, hardwareId, appVersion, testMode } = options;
  const known = { productId, licenseKey, hardwareId, appVersion, testMode: testMode === true };
  const client = clientIn(folder, null, { ...known, publicKey: LEASES.publicKey, clock });
  return { client, stem };
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
        const { client } = await clientWith(t, kept);
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
      const lease = LEASES.credits[0]?.expected.reserved as { leaseId: string };
      let at = kept.at;
      const given = { ...kept, journal: `${lease.leaseId}\n` };
      const { client, stem } = await clientWith(t, given, () => new Date(at));
      for (const { featureName, quantity, idempotencyKey, ...when } of charges) {
        at = when.at;
        const made = await client.consume(featureName, quantity, { idempotencyKey });
        assert.deepEqual([made.reserved, made.replayed, made.quantity], [true, false, quantity]);
      }
      const written = readFileSync(`${stem}.journal`, "utf8");
      assert.deepEqual(written.split("\n").slice(1), [...lines, ""]);
      assert.equal((await client.reservedCredits())?.spent, spent);
    });
  }
});
