/** Validation with the server, the grace period, refusals and refreshes. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, it } from "node:test";

import {
  ConfigurationError,
  ConnectionLostError,
  DeviceBlockedError,
  LicenseFileError,
  RateLimitedError,
  RequestRefusedError,
} from "../src/node/index.js";
import { temporaryFolder } from "./clients.js";
import { until, useFake } from "./fake.js";

const fake = useFake();
beforeEach(() => fake.renew());

void it("validates with a signed verdict and stores license.bin", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Subscription", { features: { export: true, projects: 5 } });
  await using client = fake.client(key, folder);
  const result = await client.validate();
  assert.equal(result.status, "Valid");
  assert.equal(result.source, "server");
  assert.ok(result.hasFeature("EXPORT"));
  assert.equal(result.entitlement("projects"), 5);
  assert.equal(result.entitlement("other"), null);
  assert.deepEqual(result.warnings, []);
  assert.match(readFileSync(join(folder, "license.bin"), "utf8"), /^[\w-]+\.[\w-]+\.[\w-]+$/);
});

void it("shows no license key in logs", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Perpetual", { activation_mode: "Offline" });
  await using client = fake.client(key, folder);
  await client.refresh();
  const result = await client.validateOffline();
  assert.equal(result.license?.key, key);
  assert.ok(!JSON.stringify(result).includes(key));
});

void it("lives on the last verdict for the grace period", async (t) => {
  const key = await fake.issue("Subscription", { expires: { $days: 300 } });
  await using client = fake.client(key, temporaryFolder(t));
  await client.validate();
  await fake.do("go_offline", ["Dns"]);
  const graced = await client.validate();
  assert.equal(graced.status, "GracePeriod");
  assert.ok(graced.cause instanceof ConnectionLostError);
  await fake.advance({ days: 8 });
  assert.equal((await client.validate()).status, "OnlineRequired");
});

void it("begins no grace period with a file alone", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Subscription");
  writeFileSync(join(folder, "license.bin"), String(await fake.of(key, "file")));
  await fake.do("go_offline");
  await using client = fake.client(key, folder);
  assert.equal((await client.validate()).status, "OnlineRequired");
});

void it("remembers a refusal without the server and after a restart", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Subscription");
  {
    await using client = fake.client(key, folder);
    await client.validate();
    await fake.of(key, "suspend");
    assert.equal((await client.validate()).status, "Suspended");
  }
  await fake.do("go_offline");
  await using again = fake.client(key, folder);
  assert.equal((await again.validate()).status, "Suspended");
  assert.equal((await again.validateOffline()).status, "Suspended");
  await fake.do("go_online");
  await fake.of(key, "reinstate");
  assert.equal((await again.validate()).status, "Valid");
  assert.equal((await again.validateOffline()).status, "GracePeriod");
});

void it("believes neither an edited state nor that of another machine", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Subscription");
  await using client = fake.client(key, folder);
  await client.validate();
  await using other = fake.client(key, folder, { hardwareId: "other-machine" });
  assert.equal((await other.validateOffline()).status, "OnlineRequired");
});

void it("lets a signed yes win over a wrong clock, in the right words", async (t) => {
  const key = await fake.issue("Subscription");
  for (const [hours, word] of [
    [2.2, "ahead"],
    [-2.2, "behind"],
  ] as const) {
    const clock = () => new Date(fake.clock().getTime() + hours * 3_600_000);
    await using client = fake.client(key, temporaryFolder(t), { clock });
    const result = await client.validate();
    assert.equal(result.status, "Valid");
    assert.match(result.warnings[0] ?? "", new RegExp(`2 h 12 min ${word}`));
  }
});

void it("notices a clock that was set back", async (t) => {
  const key = await fake.issue("Perpetual", { activation_mode: "Offline" });
  const folder = temporaryFolder(t);
  let now = fake.clock().getTime();
  await using client = fake.client(key, folder, { clock: () => new Date(now) });
  assert.equal((await client.refresh()).status, "Valid");
  now += 3 * 86_400_000;
  assert.equal((await client.validateOffline()).status, "Valid");
  now -= 2 * 86_400_000;
  assert.equal((await client.validateOffline()).status, "ClockTampered");
});

void it("asks the server about an Offline license once a day", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Perpetual", { activation_mode: "Offline" });
  writeFileSync(join(folder, "license.bin"), String(await fake.of(key, "file")));
  await fake.of(key, "revoke");
  {
    await using client = fake.client(key, folder);
    assert.equal((await client.validate()).status, "Valid");
    await until(async () => (await fake.requests()).length === 1);
  }
  await using client = fake.client(key, folder);
  assert.equal((await client.validate()).status, "Revoked");
});

void it("fetches the protected form and keeps it", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Perpetual", { activation_mode: "Offline" });
  {
    await using client = fake.client(key, folder, { protectFile: true });
    assert.equal((await client.refresh()).status, "Valid");
  }
  assert.equal(readFileSync(join(folder, "license.bin"), "utf8").split(".").length, 5);
  await using again = fake.client(key, folder);
  assert.equal((await again.refresh()).status, "Valid");
  assert.equal(readFileSync(join(folder, "license.bin"), "utf8").split(".").length, 5);
  await using keyless = fake.client(null, folder);
  await assert.rejects(keyless.validate(), ConfigurationError);
});

void it("says what a refused refresh means", async (t) => {
  const key = await fake.issue("Concurrent", { seats: 1 });
  await using client = fake.client(key, temporaryFolder(t));
  assert.equal((await client.refresh()).status, "ActivationRequired");
  await client.activate();
  assert.equal((await client.refresh()).status, "Valid");
  await client.deactivate();
  await client.deactivate();
});

void it("activates a device, once", async (t) => {
  const key = await fake.issue("Concurrent", { seats: 1 });
  const folder = temporaryFolder(t);
  await using desk = fake.client(key, folder);
  const first = await desk.activate({ deviceName: "Desk", metadata: { room: "4" } });
  assert.deepEqual([first.status, first.seatsUsed, first.seatsTotal], ["Active", 1, 1]);
  assert.equal((await desk.activate()).id, first.id);
  await using laptop = fake.client(key, folder, { hardwareId: "laptop" });
  await assert.rejects(laptop.activate(), { code: "SeatsExhausted", seatsUsed: 1, seatsTotal: 1 });
  await fake.control({ license: key, device: 0, name: "block" });
  await assert.rejects(desk.activate(), DeviceBlockedError);
});

void it("retries what may pass, and says what does not", async (t) => {
  const key = await fake.issue("Perpetual");
  await using client = fake.client(key, temporaryFolder(t), { timeoutSeconds: 10 });
  await fake.do("fail_next", ["ServerUnavailable"], { times: 2 });
  assert.equal((await client.validateOnline()).status, "Valid");
  await fake.do("fail_next", ["RateLimited"], { retry_after: 60 });
  await assert.rejects(client.validateOnline(), (error) => {
    assert.ok(error instanceof RateLimitedError);
    assert.equal(error.retryAfter, 60);
    return true;
  });
  await fake.do("fail_next", ["ApiKeyRefused"]);
  await assert.rejects(client.validateOnline(), { code: "ApiKeyRefused", httpStatus: 401 });
  await fake.do("fail_next", ["CaptivePortal"]);
  await assert.rejects(client.validateOnline(), { code: "CaptivePortal" });
  await fake.do("fail_next", ["UnexpectedReply"]);
  await assert.rejects(client.validateOnline(), { code: "UnexpectedReply" });
});

void it("gives a wrong key its name", async (t) => {
  await using client = fake.client("JN3VR-DRJSK-A8HNA-S3SP8-CPPNH", temporaryFolder(t));
  assert.equal((await client.validate()).status, "LicenseNotFound");
  await assert.rejects(client.balance(), (error) => {
    assert.ok(error instanceof RequestRefusedError);
    return error.errorCode === "LicenseNotFound";
  });
});

void it("sends user names and passwords in any script", async (t) => {
  const credentials = { username: "Žofie", password: "пароль" };
  const key = await fake.issue("Perpetual", credentials);
  await using bare = fake.client(key, temporaryFolder(t));
  assert.equal((await bare.validate()).status, "CredentialsRequired");
  const options = { ...credentials, appVersion: "0.9.0" };
  await using client = fake.client(key, temporaryFolder(t), options);
  assert.equal((await client.validate()).status, "Valid");
  assert.equal((await client.checkForUpdate()).version, "1.0.0");
});

void it("says when the state cannot be written", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "taken"), "");
  const key = await fake.issue("Perpetual");
  await using client = fake.client(key, folder, { stateFolder: join(folder, "taken", "state") });
  assert.match((await client.validate()).warnings[0] ?? "", /cannot be written/);
});

void it("installs the file of this application only", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Perpetual", { activation_mode: "Offline" });
  await using client = fake.client(key, folder);
  assert.equal((await client.installFile("a.b.c")).status, "SignatureMismatch");
  assert.equal((await client.validateOffline()).status, "LicenseNotFound");
  assert.equal((await client.installFile(String(await fake.of(key, "file")))).status, "Valid");
  assert.equal((await client.validateOffline()).status, "Valid");
  await using folderless = fake.client(key, folder, { licenseFile: folder });
  const { status, warnings } = await folderless.validate();
  assert.equal(status, "Valid");
  assert.match(warnings.join(" "), /not a regular file/);
  await assert.rejects(
    folderless.installFile(String(await fake.of(key, "file"))),
    LicenseFileError,
  );
});

void it("is not used after it is closed", async (t) => {
  const client = fake.client(await fake.issue("Perpetual"), temporaryFolder(t));
  await client.close();
  await client.close();
  await assert.rejects(client.validate(), /closed/);
});
