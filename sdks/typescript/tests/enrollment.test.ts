/** Machines with an enrollment key: their token, and what happens when it is lost or has ended. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, it } from "node:test";
import { inspect } from "node:util";

import {
  type ClientOptions,
  ConfigurationError,
  EnrollmentKeyInvalidError,
  SeatsExhaustedError,
} from "../src/node/index.js";
import { type OpenClient, temporaryFolder } from "./clients.js";
import { useFake } from "./fake.js";

const fake = useFake();
const ENROLL = "/activations/enroll";
let license = "";
let key = "";

beforeEach(async () => {
  await fake.renew({ app_device_release: true, app_releases_per_year: 1 });
  license = await fake.issue("Concurrent", { seats: 1 });
  key = (await fake.of(license, "enrollment_key")) as string;
});

function enrolled(folder: string, more: ClientOptions = {}): OpenClient {
  mkdirSync(folder, { recursive: true });
  return fake.client(null, folder, { enrollmentKey: key, ...more });
}

/** Removes the device, with which its token ends. */
async function removeDevice(folder: string): Promise<void> {
  await using other = fake.client(license, join(folder, "other"));
  await other.deactivate();
}

async function refusalOf(client: OpenClient): Promise<unknown> {
  return client.open().then(
    () => null,
    (error: unknown) => error,
  );
}

function tokenFile(folder: string): string {
  const [name] = readdirSync(folder).filter((item) => item.endsWith(".token"));
  return join(folder, name ?? "none");
}

void it("enrolls once, keeps its token, and shows it to nobody", async (t) => {
  const folder = temporaryFolder(t);
  {
    await using client = enrolled(folder);
    await using open = await client.open();
    assert.equal(open.result.license?.key ?? null, null);
    const token = readFileSync(tokenFile(folder), "utf8");
    assert.match(token, /^dt_[0-9a-z]{40}$/);
    if (process.platform !== "win32") assert.equal(statSync(tokenFile(folder)).mode & 0o777, 0o600);
    assert.ok(!inspect(open.result, { depth: 9 }).includes(token));
  }
  {
    await using tracking = enrolled(folder, { telemetry: true });
    tracking.track("started");
  }
  const [events] = await fake.requests("/telemetry");
  const token = readFileSync(tokenFile(folder), "utf8");
  assert.equal(events?.body["licenseKey"], `...${token.slice(-4)}`);
  {
    await using client = enrolled(folder);
    assert.equal((await client.validate()).status, "Valid");
  }
  assert.equal((await fake.requests(ENROLL)).length, 1);
});

void it("enrolls again where its token is lost or has ended", async (t) => {
  const folder = temporaryFolder(t);
  {
    await using client = enrolled(folder);
    await client.validate();
    rmSync(tokenFile(folder));
  }
  await using client = enrolled(folder);
  assert.equal((await client.validate()).status, "Valid");
  assert.equal(((await fake.of(license, "devices")) as unknown[]).length, 1);
  await client.deactivate();
  await client.deactivate();
  assert.deepEqual(await fake.of(license, "devices"), []);
  await using open = await client.open();
  await removeDevice(folder);
  assert.equal((await client.activate()).status, "Active");
  await removeDevice(folder);
  assert.equal((await client.validate()).status, "Valid");
  assert.ok(open.valid);
  assert.equal((await fake.requests(ENROLL)).length, 5);
});

void it("has a grace period with its file and its token", async (t) => {
  const folder = temporaryFolder(t);
  {
    await using client = enrolled(folder);
    await (await client.open()).close();
  }
  await fake.do("go_offline");
  {
    await using client = enrolled(folder);
    assert.equal((await client.validateOffline()).status, "GracePeriod");
    rmSync(tokenFile(folder));
  }
  await using client = enrolled(folder);
  const { status, cause } = await client.validate();
  assert.deepEqual([status, cause === null], ["OnlineRequired", false]);
});

void it("is refused from then on where it may not enroll again", async (t) => {
  const folder = temporaryFolder(t);
  await using client = enrolled(folder);
  await (await client.open()).close();
  await fake.of(license, "delete_enrollment_key", [key]);
  assert.equal((await client.validate()).status, "Valid");
  await removeDevice(folder);
  await assert.rejects(client.validate(), (error) => {
    assert.ok(error instanceof EnrollmentKeyInvalidError);
    assert.equal(error.httpStatus, 401);
    assert.match(error.hint, /LICET_ENROLLMENT_KEY/);
    return true;
  });
  await fake.do("go_offline");
  assert.equal((await client.validateOffline()).status, "LicenseNotFound");
  assert.equal((await fake.requests(ENROLL)).length, 2);
});

void it("lets the user free the seat of another device", async (t) => {
  const folder = temporaryFolder(t);
  await using old = enrolled(join(folder, "old"), { hardwareId: "old", deviceName: "Laptop" });
  await using client = enrolled(join(folder, "new"), { hardwareId: "new" });
  await old.activate();
  const full = await refusalOf(client);
  assert.ok(full instanceof SeatsExhaustedError && full.canRelease);
  const { items, releasesLeft } = await client.devices();
  assert.deepEqual([items[0]?.name, items[0]?.current, releasesLeft], ["Laptop", false, 1]);
  assert.ok(items[0]?.lastSeenAt instanceof Date);
  assert.equal((await client.releaseDevice(items[0])).seatFreeAt, null);
  await (await client.open()).close();
  const again = await refusalOf(old);
  assert.ok(again instanceof SeatsExhaustedError && !again.canRelease);
});

void it("prefers a license key, and takes the enrollment key of the environment", async (t) => {
  const folder = temporaryFolder(t);
  process.env["LICET_ENROLLMENT_KEY"] = key;
  try {
    await using named = fake.client(license, folder);
    await named.validate();
    assert.equal((await fake.requests(ENROLL)).length, 0);
    await using client = fake.client(null, folder);
    assert.equal((await client.validate()).status, "Valid");
  } finally {
    delete process.env["LICET_ENROLLMENT_KEY"];
  }
  await using client = fake.client(null, join(folder, "none"));
  await assert.rejects(client.activate(), ConfigurationError);
});

void it("takes the token that another process has got, and enrolls once at a time", async (t) => {
  const folder = temporaryFolder(t);
  await using one = enrolled(folder);
  await using two = enrolled(folder);
  await Promise.all([one.validate(), one.activate(), one.validateOnline()]);
  assert.equal((await two.validate()).status, "Valid");
  assert.equal((await fake.requests(ENROLL)).length, 1);
  await removeDevice(folder);
  await Promise.all([one.validate(), one.validateOnline()]);
  assert.equal((await two.validateOffline()).status, "GracePeriod");
  await removeDevice(folder);
  assert.equal((await two.validate()).status, "Valid");
  assert.equal((await one.activate()).status, "Active");
  assert.equal((await fake.requests(ENROLL)).length, 3);
});

void it("does not take back a token that has ended", async (t) => {
  const folder = temporaryFolder(t);
  await using client = enrolled(folder);
  await client.validate();
  const kept = readFileSync(tokenFile(folder));
  await removeDevice(folder);
  await client.validate();
  writeFileSync(tokenFile(folder), kept);
  assert.equal((await client.validate()).status, "Valid");
  assert.equal((await fake.requests(ENROLL)).length, 2);
});

void it("keeps its token until its seat is free", async (t) => {
  const folder = temporaryFolder(t);
  await using client = enrolled(folder);
  await client.validate();
  await fake.do("go_offline");
  await assert.rejects(client.deactivate());
  assert.ok(readFileSync(tokenFile(folder), "utf8").startsWith("dt_"));
});

void it("protects its new file like the one of the earlier enrollment", async (t) => {
  const folder = temporaryFolder(t);
  {
    await using client = enrolled(folder, { protectFile: true });
    await (await client.open()).close();
  }
  await removeDevice(folder);
  {
    await using client = enrolled(folder);
    await (await client.open()).close();
    assert.equal((await client.validateOffline()).status, "GracePeriod");
  }
  assert.equal(readFileSync(join(folder, "license.bin"), "utf8").split(".").length, 5);
  writeFileSync(tokenFile(folder), `dt_${"0".repeat(40)}`);
  await using client = enrolled(folder);
  assert.equal((await client.validateOffline()).status, "LicenseNotFound");
});

void it("enrolls once for the daily check where its token is lost", async (t) => {
  const folder = temporaryFolder(t);
  license = await fake.issue("Concurrent", { seats: 1, activation_mode: "Offline" });
  key = (await fake.of(license, "enrollment_key")) as string;
  {
    await using client = enrolled(folder);
    await (await client.open()).close();
  }
  await removeDevice(folder);
  rmSync(tokenFile(folder));
  {
    await using client = enrolled(folder);
    assert.equal((await client.validate()).source, "file");
  }
  assert.equal(((await fake.of(license, "devices")) as unknown[]).length, 1);
  await fake.of(license, "delete_enrollment_key", [key]);
  rmSync(tokenFile(folder));
  for (let start = 0; start < 2; start += 1) {
    await using client = enrolled(folder);
    assert.equal((await client.validate()).source, "file");
  }
  assert.equal((await fake.requests(ENROLL)).length, 3);
});
