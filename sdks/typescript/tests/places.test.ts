/** Where license.bin and the state are. */

import assert from "node:assert/strict";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { LicenseClient } from "../src/node/index.js";
import { dataFolder, findPlaces } from "../src/node/places.js";
import { temporaryFolder } from "./clients.js";
import { FILES } from "./vectors.js";

void it("follows the conventions of each system", () => {
  assert.equal(dataFolder("p", false, "linux", { XDG_DATA_HOME: "/data" }), "/data/licet/p");
  assert.equal(dataFolder("p", true, "linux", {}), "/var/lib/licet/p");
  assert.equal(dataFolder("p", true, "darwin", {}), "/Library/Application Support/licet/p");
  assert.match(dataFolder("p", false, "win32", { LOCALAPPDATA: "/local" }) ?? "", /local.licet.p$/);
  assert.match(
    dataFolder("../p", false, "linux", { XDG_DATA_HOME: "/d" }) ?? "",
    /licet.[0-9a-f]{32}$/,
  );
});

void it("keeps the state beside a license file that is named, if that can be written", (t) => {
  const folder = temporaryFolder(t);
  const licenseFile = join(folder, "license.bin");
  assert.deepEqual(findPlaces({ licenseFile }, "p", "/app"), {
    licenseFile,
    isNamed: true,
    installedFile: null,
    stateFolder: folder,
  });
  writeFileSync(join(folder, "taken"), "");
  const unwritable = join(folder, "taken", "license.bin");
  assert.match(findPlaces({ licenseFile: unwritable }, "p", "/app").stateFolder, /licet.p$/);
});

void it("reads the file next to the application if it is the newer one", async (t) => {
  const folder = temporaryFolder(t);
  const [found] = FILES.cases;
  assert.ok(found);
  const client = await LicenseClient.fromSettings(
    {
      productId: found.productId,
      publicKey: FILES.publicKey,
      hardwareId: found.hardwareId,
      clock: () => new Date(found.at),
    },
    folder,
  );
  assert.equal((await client.validateOffline()).status, "LicenseNotFound");
  writeFileSync(join(folder, "license.bin"), found.file);
  assert.equal((await client.validateOffline()).status, "Valid");
  assert.ok(!existsSync(join(folder, "license-6a5fa8b7.state")));
  const own = findPlaces({}, found.productId, folder).licenseFile;
  writeFileSync(own, "a.b.c");
  utimesSync(join(folder, "license.bin"), 1, 1);
  assert.equal((await client.validateOffline()).status, "SignatureMismatch");
});
