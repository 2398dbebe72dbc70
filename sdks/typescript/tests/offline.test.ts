/** Machines without a connection: their requests, the answers, and releases. */

import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";

import {
  decodeBase64Url,
  encodeBase64Url,
  fromUtf8,
  hex,
  sha256,
  utf8,
} from "../src/core/bytes.js";
import { ES256 } from "../src/core/deviceKey.js";
import { parseObject } from "../src/core/json.js";
import { checkCodeGroup, LicenseFileError, OfflineCodeError } from "../src/node/index.js";
import type { NodeCore } from "../src/node/core.js";
import { readCode, writeCode } from "../src/node/offlineCode.js";
import { clientIn, OpenClient, temporaryFolder } from "./clients.js";
import { OFFLINE, ROOT } from "./vectors.js";

type Given = (typeof OFFLINE.stored)[number];

/** Where a client keeps offline requests, in a folder with a named license.bin. */
async function keptPath(folder: string, productId: string): Promise<string> {
  const product = hex(await sha256(utf8(productId))).slice(0, 8);
  return join(folder, `license-${product}.offline`);
}

async function clientOf(
  t: TestContext,
  given: Omit<Given, "expected">,
  folder = temporaryFolder(t),
): Promise<[OpenClient, string]> {
  const { deviceKey, kept, file, at, productId, ...options } = given;
  if (kept !== null) writeFileSync(await keptPath(folder, productId), kept);
  if (deviceKey !== null) {
    writeFileSync(join(folder, "device-key.json"), JSON.stringify(deviceKey));
  }
  const { publicKey } = OFFLINE;
  const { licenseKey, hardwareId, deviceName, appVersion } = options;
  const known = { productId, publicKey, licenseKey, hardwareId, deviceName, appVersion };
  return [clientIn(folder, file, { ...known, clock: () => new Date(at) }), folder];
}

/** A part of a token. */
function partOf(text: string, index: number): Readonly<Record<string, unknown>> {
  const raw = decodeBase64Url(text.split(".")[index] ?? "");
  return (raw && parseObject(raw)) ?? {};
}

/** Checks a request against what it should say, and its signature against the key in it. */
async function assertSigned(text: string, header: object, claims: object): Promise<void> {
  const { nonce, ...said } = partOf(text, 1);
  assert.deepEqual([partOf(text, 0), said], [header, claims]);
  assert.match(String(nonce), /^[\w-]{22}$/);
  const jwk = partOf(text, 0)["jwk"] as JsonWebKey;
  const key = await crypto.subtle.importKey("jwk", jwk, ES256, false, ["verify"]);
  const [signed = "", signature = ""] = text.split(/\.(?=[^.]*$)/);
  const raw = decodeBase64Url(signature) ?? utf8("");
  assert.ok(await crypto.subtle.verify(ES256, key, raw, utf8(signed)), "its signature");
}

/** What a call did: the status of its result, or its error. */
async function outcomeOf(
  call: Promise<{ valid: boolean; status: string }>,
): Promise<{ valid?: boolean; status?: string; error?: string; group?: number | null }> {
  try {
    const { valid, status } = await call;
    return { valid, status };
  } catch (error) {
    if (error instanceof OfflineCodeError) return { error: error.code, group: error.group };
    return { error: (error as { code: string }).code };
  }
}

void describe("the vectors of offline requests", () => {
  for (const { renew, expected, ...given } of OFFLINE.sent) {
    void it(`asks: ${given.name}`, async (t) => {
      const [client, folder] = await clientOf(t, given);
      const { text, kind, file, fileName } = await client.offlineRequest({ renew });
      assert.equal(fileName, `${given.productId}.licetreq`);
      if (expected.text !== undefined) assert.equal(text, expected.text);
      else await assertSigned(text, expected.header ?? {}, expected.claims ?? {});
      assert.deepEqual([kind, fromUtf8(file)], [partOf(text, 1)["kind"], text]);
      const kept = readFileSync(await keptPath(folder, given.productId), "utf8");
      assert.equal((JSON.parse(kept) as { pending: { text: string } }).pending.text, text);
    });
  }
  for (const { answer, expected, ...given } of OFFLINE.answers) {
    void it(`takes a file: ${given.name}`, async (t) => {
      const [client, folder] = await clientOf(t, given);
      const applied = outcomeOf(client.applyOfflineAnswer(utf8(answer)));
      assert.deepEqual(await applied, expected);
      const stored = readStored(folder);
      assert.equal(stored, expected.error === undefined ? answer : given.file);
    });
  }
  for (const { code, expected, ...given } of OFFLINE.codes) {
    void it(`takes a code: ${given.name}`, async (t) => {
      const [client, folder] = await clientOf(t, given);
      assert.deepEqual(await outcomeOf(client.applyOfflineAnswer(code)), expected);
      const again = (await outcomeOf(client.validateOffline())).status;
      if (expected.error === undefined) assert.equal(again, expected.status);
      assert.equal(readStored(folder), given.file);
    });
  }
  for (const { typed, ...given } of OFFLINE.mistyped) {
    void it(`finds the group of a mistake: ${given.name}`, async (t) => {
      const [client] = await clientOf(t, given);
      for (const { code, group } of typed) {
        const found = await outcomeOf(client.applyOfflineAnswer(code));
        assert.deepEqual(found, { error: "OfflineCode", group }, code);
      }
    });
  }
  for (const { expected, ...given } of OFFLINE.stored) {
    void it(`judges what is stored: ${given.name}`, async (t) => {
      const [client] = await clientOf(t, given);
      assert.deepEqual(await outcomeOf(client.validateOffline()), expected);
    });
  }
  for (const { withoutCode, expected, ...given } of OFFLINE.releases) {
    void it(`releases: ${given.name}`, async (t) => {
      const [client] = await clientOf(t, given);
      if (expected.error !== undefined) {
        await assert.rejects(client.releaseOffline(), { code: expected.error });
        return;
      }
      const released = await client.releaseOffline();
      if (expected.text !== undefined) assert.equal(released.text, expected.text);
      else await assertSigned(released.text, expected.header ?? {}, expected.claims ?? {});
      assert.equal(released.code === null, withoutCode === true);
      if (expected.code !== undefined) assert.equal(released.code, expected.code);
      const again = await client.releaseOffline();
      assert.deepEqual([again.text, again.code], [released.text, released.code]);
      assert.equal((await client.validateOffline()).status, expected.status);
    });
  }
  void it("writes codes, and reads them", () => {
    for (const { bytes, code } of OFFLINE.letters) {
      const raw = decodeBase64Url(bytes) ?? utf8("");
      if (raw[0] !== 1) {
        assert.throws(() => readCode(code), { group: null });
        continue;
      }
      const read = readCode(code);
      assert.equal(encodeBase64Url(read.signature), encodeBase64Url(raw.slice(4)));
      assert.equal(writeCode(read), code);
    }
  });
  void it("checks groups while they are typed", () => {
    for (const { index, text, right } of OFFLINE.groups.flatMap(({ typed }) => typed)) {
      assert.equal(checkCodeGroup(index, text), right, `${index} ${text}`);
    }
  });
});

const [GOOD, CODED] = [OFFLINE.answers[0], OFFLINE.codes[0]];
assert.ok(GOOD && CODED);
const NEVER_ASKED = { ...GOOD, kept: null };
const PRODUCT_KEY = createPrivateKey(
  readFileSync(new URL("vectors/TEST-ONLY-product-key.pem", ROOT)),
);

/** A file like this one with other claims. */
function resigned(file: string, claims: object): string {
  const [head = ""] = file.split(".");
  const payload = encodeBase64Url(utf8(JSON.stringify({ ...partOf(file, 1), ...claims })));
  const signature = sign("sha256", utf8(`${head}.${payload}`), PRODUCT_KEY);
  return `${head}.${payload}.${encodeBase64Url(Uint8Array.from(signature))}`;
}

/** The answer to a request, as a server makes it. */
function answerTo(text: string): Uint8Array {
  const { nonce, seq } = partOf(text, 1);
  return utf8(
    resigned(GOOD?.answer ?? "", { request: { nonce, seq }, jti: `file-${String(seq)}` }),
  );
}

void it("makes one request where two copies of the application ask at once", async (t) => {
  const [client, folder] = await clientOf(t, NEVER_ASKED);
  const [copy] = await clientOf(t, NEVER_ASKED, folder);
  const asked = await Promise.all([client, copy, client].map((item) => item.offlineRequest()));
  assert.equal(new Set(asked.map(({ text }) => text)).size, 1);
  const renewing = [client, copy].map((item) => item.offlineRequest({ renew: true }));
  const renewed = await Promise.all(renewing);
  assert.deepEqual(renewed.map(({ text }) => partOf(text, 1)["seq"]).sort(), [2, 3]);
});

void it("leaves out of a request what makes it too long for the desk", async (t) => {
  const long = { hardwareId: "ö".repeat(256), deviceName: "€".repeat(256), appVersion: "2" };
  const [client] = await clientOf(t, { ...NEVER_ASKED, ...long });
  const { text } = await client.offlineRequest();
  const { deviceName, appVersion } = partOf(text, 1);
  assert.deepEqual([text.length <= 2048, deviceName, appVersion], [true, undefined, "2"]);
});

void it("goes on where it ended between the file and what is kept", async (t) => {
  const [client, folder] = await clientOf(t, NEVER_ASKED);
  const path = await keptPath(folder, GOOD.productId);
  const { text } = await client.offlineRequest();
  const asked = readFileSync(path);
  const answer = answerTo(text);
  assert.equal((await client.applyOfflineAnswer(answer)).status, "Valid");
  writeFileSync(path, asked);
  assert.equal((await client.validateOffline()).status, "Valid");
  const next = await client.offlineRequest();
  assert.deepEqual([next.kind, partOf(next.text, 1)["file"]], ["Refresh", "file-1"]);
  writeFileSync(path, asked);
  assert.equal((await client.applyOfflineAnswer(answer)).status, "Valid");
  const { pending } = JSON.parse(readFileSync(path, "utf8")) as { pending: unknown };
  assert.equal(pending, null);
});

void it("hands out nothing that it cannot keep, and installs nothing that it cannot write", async (t) => {
  const [client, folder] = await clientOf(t, NEVER_ASKED);
  const path = await keptPath(folder, GOOD.productId);
  mkdirSync(path);
  await assert.rejects(client.offlineRequest(), LicenseFileError);
  rmSync(path, { recursive: true });
  const { text } = await client.offlineRequest();
  mkdirSync(join(folder, "license.bin"));
  await assert.rejects(client.applyOfflineAnswer(answerTo(text)), LicenseFileError);
  rmSync(join(folder, "license.bin"), { recursive: true });
  assert.equal((await client.offlineRequest()).text, text);
  assert.equal((await client.applyOfflineAnswer(answerTo(text))).status, "Valid");
  rmSync(path);
  mkdirSync(path);
  await assert.rejects(client.releaseOffline(), LicenseFileError);
  assert.equal((await client.validateOffline()).status, "Valid");
});

void it("refuses after a release what it had before, also from a backup", async (t) => {
  const [client, folder] = await clientOf(t, NEVER_ASKED);
  const first = answerTo((await client.offlineRequest()).text);
  await client.applyOfflineAnswer(first);
  const second = answerTo((await client.offlineRequest()).text);
  await client.applyOfflineAnswer(second);
  await client.releaseOffline();
  for (const old of [first, second]) {
    writeFileSync(join(folder, "license.bin"), old);
    assert.equal((await client.validateOffline()).status, "ActivationRequired");
    await assert.rejects(client.applyOfflineAnswer(old), LicenseFileError);
  }
  const { text, kind } = await client.offlineRequest();
  assert.deepEqual([kind, partOf(text, 1)["seq"]], ["Activate", 4]);
  assert.equal((await client.applyOfflineAnswer(answerTo(text))).status, "Valid");
  const again = await client.releaseOffline();
  assert.deepEqual(partOf(again.text, 1)["file"], "file-4");
});

void it("keeps its code when a newer application brings another base file", async (t) => {
  const [stateFolder, application] = [temporaryFolder(t), temporaryFolder(t)];
  const { productId, licenseKey, hardwareId, deviceKey, at, code, file } = CODED;
  const installed = join(application, "license.bin");
  writeFileSync(installed, file ?? "");
  writeFileSync(join(stateFolder, "device-key.json"), JSON.stringify(deviceKey));
  const { publicKey } = OFFLINE;
  const options = { productId, publicKey, licenseKey, hardwareId, stateFolder };
  const client = await OpenClient.fromSettings(
    { ...options, clock: () => new Date(at) },
    application,
  );
  assert.equal((await client.validateOffline()).status, "ActivationRequired");
  const { text } = await client.offlineRequest();
  assert.equal(partOf(text, 1)["base"], partOf(file ?? "", 1)["jti"]);
  const path = (await (client as unknown as { core: NodeCore }).core.offlineFile()).path;
  writeFileSync(path, CODED.kept ?? "");
  assert.equal((await client.applyOfflineAnswer(code)).status, "Valid");
  writeFileSync(installed, resigned(file ?? "", { jti: "another-base-file" }));
  utimesSync(installed, new Date(), new Date(Date.now() + 60_000));
  assert.equal((await client.validateOffline()).status, "Valid");
  assert.equal((await client.applyOfflineAnswer(code)).status, "Valid");
  const next = await client.offlineRequest();
  assert.deepEqual([next.kind, partOf(next.text, 1)["base"]], ["Refresh", "another-base-file"]);
});

/** The text of license.bin in a folder; `null` without one. */
function readStored(folder: string): string | null {
  try {
    return readFileSync(join(folder, "license.bin"), "utf8");
  } catch {
    return null;
  }
}
