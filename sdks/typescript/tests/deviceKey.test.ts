/** The key of a device: where it is kept, and how it proves requests. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it, type TestContext } from "node:test";

import { encodeBase64Url, sha256, utf8 } from "../src/core/bytes.js";
import { type DeviceKey, proofOf, Proofs } from "../src/core/deviceKey.js";
import { readObject, splitToken } from "../src/core/jose.js";
import type { TransportReply, TransportRequest } from "../src/core/transport.js";
import { type ClientOptions, DeviceProofRequiredError, LicetError } from "../src/node/index.js";
import { KEY_FILES } from "../src/node/deviceKey.js";
import { clientIn, temporaryFolder } from "./clients.js";
import { endOf, nextLine } from "./fake.js";
import { PROOFS } from "./vectors.js";

const NAME = "device-key.json";
const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const posix = { skip: process.platform === "win32" };

async function storedKey(t: TestContext, name: string): Promise<DeviceKey> {
  const path = join(temporaryFolder(t), NAME);
  writeFileSync(path, JSON.stringify(PROOFS.keys.find((key) => key.name === name)?.privateKey));
  const key = await KEY_FILES.find(path);
  assert.ok(key !== null);
  return key;
}

/** The header and the claims of a proof whose signature is that of the key in it. */
async function readProof(proof: string | undefined) {
  assert.ok(proof !== undefined && proof.length <= 2048);
  const [head, payload, signature] = splitToken(proof, 3) as [Buffer, Buffer, Buffer];
  const header = readObject(head as never);
  const key = await crypto.subtle.importKey("jwk", header["jwk"] as JsonWebKey, ES256, false, [
    "verify",
  ]);
  const signed = utf8(proof.slice(0, proof.lastIndexOf(".")));
  assert.ok(await crypto.subtle.verify(ES256, key, signature as never, signed));
  return { header, claims: readObject(payload as never) };
}

void describe("the vectors of proofs", () => {
  for (const { name, key, at, header, claims, ...request } of PROOFS.sent) {
    void it(`sends ${name}`, async (t) => {
      const stored = await storedKey(t, key);
      const proofs = [0, 1].map(() => proofOf(stored, request, Date.parse(at)));
      const [one, two] = await Promise.all(proofs.map(async (proof) => readProof(await proof)));
      const { jti, ...rest } = one?.claims ?? {};
      assert.deepEqual({ header: one?.header, claims: rest }, { header, claims });
      assert.match(String(jti), /^.{16,64}$/);
      assert.notEqual(jti, two?.claims["jti"]);
    });
  }
  for (const { name, privateKey, jkt } of PROOFS.keys) {
    void it(`computes the thumbprint of ${name}`, async (t) => {
      const path = join(temporaryFolder(t), NAME);
      writeFileSync(path, JSON.stringify(privateKey));
      assert.equal(await new Proofs(KEY_FILES, path, Date.now).jkt(), jkt);
    });
  }
  for (const { name, deviceKey, file, expected, at, ...options } of PROOFS.files) {
    void it(`judges ${name}, and makes no key for that`, async (t) => {
      const folder = temporaryFolder(t);
      if (deviceKey !== null) writeFileSync(join(folder, NAME), JSON.stringify(deviceKey));
      const { publicKey } = PROOFS;
      const clock = () => new Date(at);
      const client = clientIn(folder, file, { ...options, publicKey, clock });
      const { valid, status, warnings } = await client.validateOffline();
      assert.deepEqual({ valid, status }, expected);
      assert.equal(existsSync(join(folder, NAME)), deviceKey !== null);
      assert.equal(warnings.join().includes(NAME), name === "file-of-a-damaged-key");
    });
  }
});

void it("makes a key that only this user can read, and finds it again", posix, async (t) => {
  const folder = join(temporaryFolder(t), "new", "state");
  const path = join(folder, NAME);
  const made = await new Proofs(KEY_FILES, path, Date.now).level();
  assert.equal(made, "Software");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), [NAME]);
  const { d, ...stored } = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  assert.match(d ?? "", /^[\w-]{43}$/);
  const jkt = await new Proofs(KEY_FILES, path, Date.now).jkt();
  const { crv, kty, x, y } = stored;
  const members = JSON.stringify({ crv, kty, x, y });
  assert.equal(jkt, encodeBase64Url(await sha256(utf8(members))));
});

void it("has one key although two processes make one at the same time", async (t) => {
  const path = join(temporaryFolder(t), NAME);
  const entry = new URL("../src/node/deviceKey.js", import.meta.url).href;
  const program = `
    const { KEY_FILES } = await import(${JSON.stringify(entry)});
    const path = ${JSON.stringify(path)};
    console.log(await KEY_FILES.find(path));
    await new Promise((go) => process.stdin.once("data", go));
    console.log((await KEY_FILES.make(path)).jwk.x);`;
  const processes = [0, 1].map(() => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    t.after(() => endOf(child));
    return { child, lines: createInterface({ input: child.stdout }) };
  });
  const read = () => Promise.all(processes.map(({ child, lines }) => nextLine(child, lines)));
  assert.deepEqual(await read(), ["null", "null"]);
  const made = read();
  for (const { child } of processes) child.stdin.write("go\n");
  const [one, two] = await made;
  assert.equal(one, two);
  assert.equal(one, (await KEY_FILES.find(path))?.jwk.x);
});

type Answer = (sent: TransportRequest) => TransportReply;

function answer(status: number, body: object, date?: Date): TransportReply {
  const headers: Record<string, string> = date === undefined ? {} : { date: date.toUTCString() };
  return { status, headers, body: utf8(JSON.stringify(body)) };
}

/** A client whose server gives these answers, the last one again and again. */
function clientOf(folder: string, answers: readonly Answer[], more: ClientOptions = {}) {
  const sent: TransportRequest[] = [];
  const send = (request: TransportRequest) => {
    sent.push(request);
    const reply = answers[Math.min(sent.length, answers.length) - 1];
    return Promise.resolve().then(() => reply?.(request) ?? answer(404, {}));
  };
  const client = clientIn(folder, null, {
    productId: "product",
    publicKey: PROOFS.publicKey,
    licenseKey: "K".repeat(25),
    apiKey: "pk_test",
    serverBaseEndpoint: "https://licenses.example.com/api",
    hardwareId: "machine",
    transport: { send, close: () => undefined },
    ...more,
  });
  return { client, sent };
}

const ACTIVE = answer(201, { activationId: "a", status: "Active" });
const REFUSED = { errorCode: "DeviceProofRequired", detail: "The clock of the proof is wrong." };
const HOUR = 3_600_000;

void it("proves every request to the server", async (t) => {
  const nothing = () => answer(404, { errorCode: "LicenseNotFound" });
  const { client, sent } = clientOf(temporaryFolder(t), [nothing], { telemetry: true });
  const calls = [
    () => client.validateOnline(),
    () => client.activate(),
    () => client.devices(),
    () => client.releaseDevice({ id: "other" }),
    () => client.session().open(),
    () => client.consume("export"),
    () => client.balance(),
    () => client.refresh(),
    () => client.checkForUpdate(),
    () => client.deactivate(),
  ];
  for (const call of calls) await assert.rejects(call, LicetError);
  client.track("opened");
  await client.close();
  assert.ok(new Set(sent.map(({ method, url }) => `${method} ${url}`)).size > calls.length);
  const { jkt } = await client.identity();
  for (const { method, url, headers, body } of sent) {
    const { header, claims } = await readProof(headers["DPoP"]);
    assert.deepEqual([claims["htm"], claims["htu"]], [method, url.replace(/\?.*/, "")]);
    assert.equal(
      claims["bh"],
      body === null ? undefined : encodeBase64Url(await sha256(utf8(body))),
    );
    assert.equal(encodeBase64Url(await sha256(utf8(JSON.stringify(header["jwk"])))), jkt);
  }
  const levels = sent.filter(({ body }) => body?.includes('"deviceKeyLevel":"Software"'));
  assert.deepEqual(
    [...new Set(levels.map(({ url }) => url.replace(/.*api/, "")))],
    ["/licenses/validate", "/activations"],
  );
});

void it("signs each repetition of a request with a proof of its own", async (t) => {
  const { client, sent } = clientOf(temporaryFolder(t), [() => answer(503, {}), () => ACTIVE]);
  await client.activate();
  const proofs = await Promise.all(sent.map(({ headers }) => readProof(headers["DPoP"])));
  assert.equal(new Set(proofs.map(({ claims }) => claims["jti"])).size, 2);
});

const CLOCK = new Date("2026-03-01T12:00:00Z");

async function timesOf(sent: readonly TransportRequest[]): Promise<number[]> {
  const proofs = await Promise.all(sent.map(({ headers }) => readProof(headers["DPoP"])));
  return proofs.map(({ claims }) => Number(claims["iat"]) * 1000 - CLOCK.getTime());
}

void it("takes the server's time when its own is refused, and goes on with it", async (t) => {
  const late = () => answer(403, REFUSED, new Date(CLOCK.getTime() + HOUR));
  const clock = () => CLOCK;
  const { client, sent } = clientOf(temporaryFolder(t), [late, () => ACTIVE], { clock });
  await client.activate();
  await client.activate();
  assert.deepEqual(await timesOf(sent), [0, HOUR, HOUR]);
});

void it("asks no third time when the server refuses its own time, too", async (t) => {
  let ahead = 0;
  const never = () => answer(403, REFUSED, new Date(CLOCK.getTime() + (ahead += HOUR)));
  const clock = () => CLOCK;
  const { client, sent } = clientOf(temporaryFolder(t), [never], { clock });
  await assert.rejects(client.activate(), DeviceProofRequiredError);
  assert.deepEqual(await timesOf(sent), [0, HOUR]);
});

for (const date of [new Date(CLOCK.getTime() + 59_000), undefined, new Date(NaN)]) {
  void it(`signs again after an overtaken proof, and keeps its clock: ${String(date)}`, async (t) => {
    const overtaken = () => answer(403, REFUSED, date);
    const clock = () => CLOCK;
    const { client, sent } = clientOf(temporaryFolder(t), [overtaken, () => ACTIVE], { clock });
    await client.activate();
    assert.deepEqual(await timesOf(sent), [0, 0]);
  });
}

/** What may be in the place of the key. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  "a folder": (path) => mkdirSync(path),
  "no JSON": (path) => writeFileSync(path, "{"),
  nothing: (path) => writeFileSync(path, ""),
  "a public key": (path) => writeFileSync(path, JSON.stringify(PROOFS.sent[0]?.header.jwk)),
  "padded numbers": (path) => {
    const [key] = PROOFS.keys;
    const padded = Object.entries(key?.privateKey ?? {}).map(([name, value]) => [
      name,
      `${value}=`,
    ]);
    writeFileSync(path, JSON.stringify(Object.fromEntries(padded)));
  },
  "a file for the folder": (path) => writeFileSync(join(path, ".."), "no folder"),
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  void it(`asks without a proof where the key is ${name}, and leaves that alone`, async (t) => {
    const folder = temporaryFolder(t);
    const stateFolder = join(folder, "state");
    if (name !== "a file for the folder") mkdirSync(stateFolder);
    damage(join(stateFolder, NAME));
    const { client, sent } = clientOf(folder, [() => ACTIVE], { stateFolder });
    assert.ok((await client.activate()).active);
    assert.ok(sent.length === 1 && !("DPoP" in (sent[0]?.headers ?? {})));
    assert.ok(!sent[0]?.body?.includes("deviceKeyLevel"));
    const identity = { hardwareId: "machine", jkt: null, level: null, components: [] };
    assert.deepEqual(await client.identity(), identity);
    if (name === "no JSON") assert.equal(readFileSync(join(stateFolder, NAME), "utf8"), "{");
  });
}
