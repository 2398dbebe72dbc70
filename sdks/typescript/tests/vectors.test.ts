/** Every vector has the same outcome as in the other SDKs. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { encodeBase64Url } from "../src/core/bytes.js";
import { decodeSegment, isProtected, RejectedToken } from "../src/core/jose.js";
import { checkSymbol, isGeneratedKey, keyHash, normalForm, readKey } from "../src/core/keys.js";
import { compareVersions } from "../src/core/precedence.js";
import { releaseAllows } from "../src/core/versionLine.js";
import { readPublicKey, trustKey } from "../src/core/publicKey.js";
import { checkUpdateAnswer } from "../src/core/release.js";
import { deriveFileKey } from "../src/core/sealed.js";
import { verdictResult, verifyVerdict } from "../src/core/verdict.js";
import { ConfigurationError } from "../src/node/index.js";
import { clientIn, temporaryFolder } from "./clients.js";
import { COVERAGE, DERIVED, FILES, KEYS, RELEASES, VERDICTS } from "./vectors.js";

void describe("license keys", () => {
  for (const { input, normalForm: normal, hash } of KEYS.valid) {
    void it(`normalizes ${JSON.stringify(input)}`, async () => {
      assert.equal(normalForm(input), normal);
      assert.ok(isGeneratedKey(normal));
      assert.equal(await keyHash(normal), hash);
    });
  }
  void it("computes check symbols", () => {
    for (const { payload, check } of KEYS.checkSymbols) assert.equal(checkSymbol(payload), check);
  });
  void it("does not normalize a wrong check symbol", () => {
    for (const text of KEYS.invalidCheck) assert.equal(normalForm(text), text);
  });
  void it("compares imported keys as they are", () => {
    for (const { input, normalForm: normal } of KEYS.imported) {
      assert.equal(normalForm(input), normal);
    }
  });
  void it("reads every character as the vectors say", () => {
    const meantBy = (code: number): string | null => {
      for (const [meant, ranges] of Object.entries(KEYS.characters)) {
        if (ranges.some(([first, last]) => first <= code && code <= last)) {
          return meant === "dropped" ? "" : meant;
        }
      }
      if (code >= 0xff01 && code <= 0xff5e) return String.fromCodePoint(code - 0xfee0);
      return code >= 0x20 && code <= 0x7e ? String.fromCodePoint(code) : null;
    };
    for (let code = 0; code < 0xe1001; code += code === 0x11000 ? 0xe0000 - code : 1) {
      const meant = meantBy(code);
      const read = readKey(`ACME${String.fromCodePoint(code)}key-0001`);
      assert.equal(read, meant === null ? null : `ACME${meant}key-0001`, code.toString(16));
    }
  });
  void it("refuses what cannot be a key", () => {
    for (const text of KEYS.malformed) assert.throws(() => normalForm(text), ConfigurationError);
  });
  for (const { licenseKey, normalForm: normal, salt, derivedKey } of DERIVED) {
    void it(`derives the file key of ${licenseKey}`, async () => {
      assert.equal(normalForm(licenseKey), normal);
      const derived = await deriveFileKey(normal, decodeSegment(salt));
      assert.equal(encodeBase64Url(derived), derivedKey);
    });
  }
});

for (const form of ["publicKeyPem", "publicKey"] as const) {
  void describe(`license files, with the ${form}`, () => {
    for (const found of FILES.cases) {
      void it(found.name, async (t) => {
        const client = clientIn(temporaryFolder(t), found.file, {
          productId: found.productId,
          publicKey: FILES[form],
          licenseKey: found.licenseKey,
          hardwareId: found.hardwareId,
          appVersion: found.appVersion,
          gracePeriodDays: found.gracePeriodDays,
          testMode: found.testMode,
          clock: () => new Date(found.at),
        });
        if (found.keptVerdict !== null) await client.keep(found.keptVerdict);
        const { valid, status } = await client.validateOffline();
        assert.deepEqual({ valid, status }, found.expected);
      });
    }
  });
}

void describe("the releases that a license covers", () => {
  for (const found of COVERAGE.cases) {
    void it(found.name, async (t) => {
      const released = new Date(found.appReleasedAt);
      const client = clientIn(temporaryFolder(t), found.file, {
        productId: found.productId,
        publicKey: COVERAGE.publicKey,
        hardwareId: found.hardwareId,
        appVersion: found.appVersion,
        appReleasedAt: released,
        clock: () => new Date(found.at),
      });
      const result = await client.validateOffline();
      const { valid, status, inFallback, updatesUntil, message } = result;
      assert.deepEqual({ valid, status }, found.expected);
      assert.equal(inFallback, found.inFallback);
      assert.deepEqual(updatesUntil, found.updatesUntil && new Date(found.updatesUntil));
      if (found.appVersion === null) {
        assert.equal(result.covers(released), status !== "ReleaseNotAllowed");
      }
      assert.ok(!valid || !/expire/i.test(message), message);
      assert.ok(result.license?.key, "the key is kept");
    });
  }
});

void describe("verdicts", () => {
  for (const { name, request, token, at, expected, testMode = false } of VERDICTS.cases) {
    void it(name, async () => {
      const keys = [await trustKey(readPublicKey(VERDICTS.publicKeyPem))];
      const question = { ...request, normalKey: normalForm(request.licenseKey), testMode };
      const now = Date.parse(at);
      const outcome = await verifyVerdict(token, keys, question, now).then(
        (verdict) => verdictResult(verdict, now, null),
        (error: unknown) => {
          assert.ok(error instanceof RejectedToken);
          return { valid: false, status: "SignatureMismatch" };
        },
      );
      assert.deepEqual({ valid: outcome.valid, status: outcome.status }, expected);
    });
  }
});

void describe("releases", () => {
  for (const { name, response, accepted, licenseKey, releasedAt, ...asked } of RELEASES.cases) {
    void it(name, async () => {
      const keys = [await trustKey(readPublicKey(RELEASES.publicKey))];
      const request = {
        ...asked,
        keyHash: licenseKey === null ? null : await keyHash(licenseKey),
        releasedAt: releasedAt === null ? null : new Date(releasedAt),
      };
      const check = checkUpdateAnswer(response, keys, request);
      if (accepted) await check;
      else await assert.rejects(check, RejectedToken);
    });
  }
});

void describe("versions", () => {
  void it("orders them by precedence", () => {
    const ordered = ["1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.1", "1.0.0", "v1.0.1"];
    for (const [index, version] of ordered.entries()) {
      for (const [other, another] of ordered.entries()) {
        assert.equal(Math.sign(compareVersions(version, another) ?? NaN), Math.sign(index - other));
      }
    }
    assert.equal(compareVersions("build 1", "1.0.0"), null);
    assert.equal(compareVersions("1.0.0+a", "1.0.0+b"), 0);
  });
  void it("lets a license cover its own major version and earlier ones", () => {
    assert.ok(releaseAllows("2.4.0", "2.9.9"));
    assert.ok(releaseAllows("2.4.0", "1.0.0"));
    assert.ok(!releaseAllows("2.4.0", "3.0.0"));
    assert.ok(releaseAllows("2.4.0", "nightly"));
  });
  void it("knows protected files by their header", () => {
    const [file] = FILES.cases.filter(({ name }) => name === "protected");
    const [plain] = FILES.cases.filter(({ name }) => name === "good");
    assert.ok(isProtected(file?.file ?? ""));
    assert.ok(!isProtected(plain?.file ?? ""));
    assert.ok(!isProtected(`${plain?.file}${plain?.file}`), "a doubled file");
  });
});
