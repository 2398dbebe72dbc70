/** The sentences for users: of errors and results, in each language. */

import assert from "node:assert/strict";
import { it } from "node:test";

import { errorForCode } from "../src/core/errorCodes.js";
import { DnsError } from "../src/core/errors.js";
import { RateLimitedError } from "../src/core/partErrors.js";
import { DownloadWithdrawnError, OnlineRequiredError } from "../src/core/refusals.js";
import { LicenseResult, type ResultFields } from "../src/core/result.js";
import { OfflineCodeError } from "../src/node/offlineCode.js";
import { LANGUAGES, sentence, SENTENCES } from "../src/sentences/index.js";

function refused(code: string, said = "", problem: Record<string, unknown> = {}) {
  const amounts = (name: string) => (problem[name] as string | undefined) ?? null;
  return errorForCode(code, problem, amounts, said, { httpStatus: 409, errorCode: code });
}

function result(status: ResultFields["status"], more: Partial<ResultFields> = {}): LicenseResult {
  return new LicenseResult({ status, message: "The message.", ...more });
}

function german(...codes: string[]): string {
  return codes.map((code) => SENTENCES["de"]?.[code]).join(" ");
}

void it("fills in the values of an error as the language writes them", () => {
  const amounts = refused("InsufficientBalance", "", { cost: "2.50", balance: "1" });
  assert.match(amounts.message, /\(2\.50 needed, 1 left\)/);
  assert.match(sentence(amounts, "de"), /\(2,50 benötigt, 1 übrig\)/);
  const seats = refused("MaxActivationsReached", "", { seatsUsed: 2, seatsTotal: 3 });
  assert.match(sentence(seats, "de"), /\(2 von 3\)/);
  const mistyped = new OfflineCodeError(7);
  assert.match(mistyped.message, /: there is a typing error in group 7\./);
  assert.match(sentence(mistyped, "de"), /: In Gruppe 7 ist ein Tippfehler\./);
});

void it("leaves no gap where a value is not known", () => {
  const seats = refused("MaxActivationsReached", "", { seatsUsed: 2 });
  assert.match(sentence(seats, "de"), /^Alle Plätze der Lizenz sind belegt\. Deaktivieren/);
  assert.match(seats.message, /^All seats of the license are taken\. Deactivate/);
});

void it("goes by the code where the server said more", () => {
  const error = refused("LicenseInvalid", "The license was revoked.");
  assert.equal(error.message, "The license was revoked.");
  assert.equal(sentence(error), SENTENCES["en"]?.["LicenseInvalid"]);
  assert.equal(sentence(error, "de"), german("LicenseInvalid"));
});

void it("fills in the dates of a result", () => {
  const grace = result("GracePeriod", { graceEndsAt: new Date("2026-12-01T08:05:09Z") });
  assert.match(sentence(grace, "de"), /bis zum 01\.12\.2026 um 08:05 UTC gültig/);
  assert.match(sentence(grace, "en-US"), /valid until 2026-12-01 08:05 UTC/);
});

for (const language of ["de", "de-AT", "de_CH", "DE"]) {
  void it(`says what kept the license from being checked: ${language}`, () => {
    const cause = new DnsError("The message.");
    const error = new OnlineRequiredError(result("OnlineRequired", { cause }));
    assert.equal(sentence(error, language), german("Dns", "OnlineRequired"));
  });
}

void it("goes by the kind of an error where the server's code is general", () => {
  const error = new DownloadWithdrawnError("…", { httpStatus: 404, errorCode: "NotFound" });
  assert.equal(sentence(error, "de"), german("DownloadWithdrawn"));
});

void it("writes whole seconds", () => {
  const limited = (retryAfter: number) =>
    new RateLimitedError("…", { httpStatus: 429, retryAfter });
  assert.match(sentence(limited(1.2), "de"), /\(2 s\)/);
  assert.doesNotMatch(sentence(limited(0), "de"), /\(/);
});

void it("gives the message of what has no sentence", () => {
  assert.equal(sentence(new Error("The message."), "de"), "The message.");
  assert.equal(sentence(refused("Tomorrow", "The message."), "de"), "The message.");
  assert.equal(sentence(result("Revoked"), "fr"), "The message.");
  assert.equal(sentence(result("Revoked"), ""), "The message.");
  assert.equal(sentence(result("Revoked"), "constructor"), "The message.");
});

void it("has a sentence for every code alone", () => {
  const values = { errorCode: "Tomorrow" };
  assert.equal(sentence("Tomorrow", "de"), sentence("RequestRefused", "de", { values }));
  assert.equal(sentence("Expired", "fr"), "The license expired. Renew it with the vendor.");
});

void it("prefers what the application brings", () => {
  const translations = {
    Revoked: "La licence est révoquée.",
    Expired: "Expirée[ le {endsAt}].",
    Mine: "Oui {x}",
  };
  assert.equal(sentence(result("Revoked"), "fr", { translations }), translations.Revoked);
  assert.equal(sentence("Revoked", "de", { translations }), translations.Revoked);
  const values = { endsAt: "1er décembre" };
  assert.equal(sentence("Expired", "fr", { translations, values }), "Expirée le 1er décembre.");
  assert.equal(sentence("Mine", "fr", { translations }), "Oui {x}");
});

void it("takes what the server sent for no template, and shortens it", () => {
  const serverStatus = `[{status}]${"x".repeat(80)}`;
  const told = sentence(result("Unknown", { serverStatus }));
  assert.ok(told.includes(`([{status}]${"x".repeat(30)})`), told);
  assert.match(sentence(result("Unknown", { serverStatus: "a\nb" })), /\(\?\)/);
});

void it("names its languages", () => {
  assert.deepEqual(LANGUAGES, ["en", "de"]);
});
