/** Options, settings files, and whom they may say to trust. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { type ClientOptions, ConfigurationError, LicenseClient } from "../src/node/index.js";
import { loadSettings } from "../src/node/settings.js";
import { temporaryFolder } from "./clients.js";
import { FILES } from "./vectors.js";

const REQUIRED = { productId: "product", publicKeys: [FILES.publicKey] };

void it("reads comments, trailing commas and the nested section", async (t) => {
  const folder = temporaryFolder(t);
  const text = `\ufeff{
    // the section of .NET
    "Logging": { "LogLevel": "Debug", /* , */ },
    "licet": {
      "productid": "a // b, } /* c */",
      "PublicKeys": ["one", "two",],
      "GracePeriodDays": 3, "Telemetry": true, "LicenseFile": "data/license.bin",
      "Unknown": {},
    },
  }`;
  writeFileSync(join(folder, "appsettings.json"), text);
  const { name, options } = await loadSettings(folder);
  assert.equal(name, "appsettings.json");
  assert.deepEqual(options, {
    productId: "a // b, } /* c */",
    publicKeys: ["one", "two"],
    gracePeriodDays: 3,
    telemetry: true,
    licenseFile: join(folder, "data/license.bin"),
  });
});

void it("prefers licet.json, and reads nothing without a file", async (t) => {
  const folder = temporaryFolder(t);
  assert.deepEqual((await loadSettings(folder)).options, {});
  writeFileSync(join(folder, "appsettings.json"), `{"Licet:ProductId": "nested"}`);
  assert.deepEqual((await loadSettings(folder)).options, { productId: "nested" });
  writeFileSync(join(folder, "licet.json"), `{"ProductId": "first", "DeviceName": null}`);
  assert.deepEqual((await loadSettings(folder)).options, { productId: "first" });
});

const BROKEN: Readonly<Record<string, RegExp>> = {
  "[]": /must contain a JSON object/,
  "{": /not valid JSON/,
  "{,}": /not valid JSON/,
  '{"PublicKeys": ["a",,]}': /not valid JSON/,
  '{"Licet": 1}': /section Licet must be a JSON object/,
  '{"TimeoutSeconds": "10"}': /TimeoutSeconds must be a number, not "10"/,
  '{"LicenseKey": 7777777777}': /LicenseKey must be a string in quotes\.$/,
  '{"ApiKey": "a", "ProductApiKey": "b"}': /set the same option/,
};

for (const [text, expected] of Object.entries(BROKEN)) {
  void it(`refuses ${text}`, async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, "licet.json"), text);
    await assert.rejects(loadSettings(folder), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, expected);
      return true;
    });
  });
}

void it("lets the call win, and warns about what the file alone says", async (t) => {
  const folder = temporaryFolder(t);
  const stated = { ProductId: "file", PublicKey: FILES.publicKey, GracePeriodDays: 90 };
  writeFileSync(join(folder, "licet.json"), JSON.stringify(stated));
  const client = await LicenseClient.fromSettings({}, folder);
  const { warnings } = await client.validateOffline();
  assert.match(warnings[0] ?? "", /public key comes from licet.json/);
  assert.match(warnings[1] ?? "", /extends the grace period to 90 days/);
  const named = { ...REQUIRED, maxGracePeriodDays: 14 };
  const strict = await LicenseClient.fromSettings(named, folder);
  assert.deepEqual((await strict.validateOffline()).warnings, [
    "licet.json asks for a grace period of 90 days; the application allows 14.",
  ]);
  const untrusting = LicenseClient.fromSettings({ trustSettings: false }, folder);
  await assert.rejects(untrusting, ConfigurationError);
});

const INVALID: readonly [ClientOptions, RegExp][] = [
  [{ productId: " " }, /ProductId is missing/],
  [{ publicKeys: [] }, /1 to 16 public keys/],
  [{ publicKeys: ["-----BEGIN PRIVATE KEY-----"] }, /PRIVATE key/],
  [{ publicKeys: ["bm90IGEga2V5"] }, /neither PEM nor Base64/],
  [{ publicKey: FILES.publicKeyPem }, /set the same option/],
  [{ serverBaseEndpoint: "licenses.example.com/api" }, /absolute URL/],
  [{ serverBaseEndpoint: "https://licenses.example.com" }, /Try "https:.*\/api"/],
  [{ serverBaseEndpoint: "https://licenses.example.com/api/v1" }, /Remove what follows \/api/],
  [{ serverBaseEndpoint: "http://licenses.example.com/api" }, /must use https/],
  [{ serverBaseEndpoint: "https://a:b@licenses.example.com/api" }, /user name or password/],
  [{ apiKey: "pk 1" }, /ProductApiKey/],
  [{ timeoutSeconds: 0 }, /TimeoutSeconds/],
  [{ hardwareId: "" }, /hardwareId/],
  [{ gracePeriodDays: -1 }, /gracePeriodDays/],
  [{ gracePeriodDays: 9, maxGracePeriodDays: 8 }, /must not exceed/],
  [{ seatMode: "Sometimes" as "Auto" }, /SeatMode/],
  [{ appVersion: 2 as unknown as string }, /appVersion must be a string/],
  [{ licenceKey: "x" } as ClientOptions, /licenceKey is not an option/],
];

for (const [options, expected] of INVALID) {
  void it(`refuses ${JSON.stringify(options)}`, () => {
    assert.throws(
      () => new LicenseClient({ ...REQUIRED, ...options }),
      (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, expected);
        return true;
      },
    );
  });
}

void it("accepts PEM and Base64, and counts a key once that is given twice", () => {
  new LicenseClient({ ...REQUIRED, publicKeys: [FILES.publicKeyPem, FILES.publicKey] });
  new LicenseClient({ ...REQUIRED, serverBaseEndpoint: "http://127.0.0.1:8000/API/" });
});
