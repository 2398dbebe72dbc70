/** What the SDK opens in a folder where another user has put something in the place of a file. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { FILES, openPart, readInstalled, writeLicense } from "../src/node/files.js";
import { acquireInstance } from "../src/node/instance.js";
import { readLicense } from "../src/node/licenseFiles.js";
import { RefusedFile } from "../src/node/ownership.js";
import { findPlaces } from "../src/node/places.js";
import { temporaryFolder } from "./clients.js";

const OTHER_USER = 65534;
const isRoot = process.geteuid?.() === 0;
const posix = { skip: process.platform === "win32" };

const WAYS: Readonly<Record<string, (path: string, victim: string) => void>> = {
  link: (path, victim) => symlinkSync(victim, path),
  danglingLink: (path, victim) => symlinkSync(`${victim}-missing`, path),
  loop: (path) => symlinkSync(path, path),
  hardLink: (path, victim) => linkSync(victim, path),
  fifo: (path) => void execFileSync("mkfifo", [path]),
  folder: (path) => mkdirSync(path),
  device: (path) => symlinkSync("/dev/zero", path),
  ...(isRoot && {
    ofAnotherUser: (path: string) => {
      writeFileSync(path, "0".repeat(32));
      chmodSync(path, 0o666);
      chownSync(path, OTHER_USER, OTHER_USER);
    },
  }),
};

for (const [name, occupy] of Object.entries(WAYS)) {
  void it(`opens no file that is taken by another user: ${name}`, posix, async (t) => {
    const root = temporaryFolder(t);
    const shared = join(root, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const victim = join(root, "victim");
    writeFileSync(victim, "precious");
    const path = (file: string) => join(shared, file);
    for (const file of ["license.bin", "own", "licet-instance-1.id", ".setup.bin.0.part"]) {
      occupy(path(file), victim);
    }
    const found = await readOwn(path("license.bin"));
    assert.equal(found.content, null);
    assert.match(found.refused ?? "", /is not used/);
    await assert.rejects(FILES.read(path("own"), 99), RefusedFile);
    await readInstalled(path("own"), 99).catch(() => undefined);
    const instance = await acquireInstance(shared);
    assert.match(instance.value, /^[0-9a-f]{32}$/);
    instance.release();
    const part = await openPart(path("setup.bin"), "0");
    const { uid, mode, nlink, size } = await part.file.stat();
    assert.deepEqual([uid, mode & 0o777, nlink, size], [process.geteuid?.(), 0o600, 1, 0]);
    await part.file.close();
    if (name !== "folder") {
      assert.equal(await writeLicense(path("license.bin"), Buffer.from("new")), null);
      await FILES.write(path("own"), Buffer.from("new"));
      assert.ok(lstatSync(path("license.bin")).isFile());
      assert.equal(lstatSync(path("own")).mode & 0o777, 0o600);
    } else {
      assert.match((await writeLicense(path("license.bin"), Buffer.from("new"))) ?? "", /regular/);
    }
    assert.equal(readFileSync(victim, "utf8"), "precious");
  });
}

function readOwn(licenseFile: string) {
  const places = { licenseFile, isNamed: true, installedFile: null, stateFolder: "" };
  return readLicense(places, null, 99, () => Promise.resolve(true));
}

void it("reaches a folder through links of root and of the user alone", posix, async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  const path = join(root, "link", "license.bin");
  await writeLicense(path, Buffer.from("new"));
  assert.equal(statSync(join(root, "real", "license.bin")).mode & 0o777, 0o644);
  if (!isRoot) return;
  lchownSync(join(root, "link"), OTHER_USER, OTHER_USER);
  await assert.rejects(writeLicense(path, Buffer.from("x")), /link of another user/);
  assert.match((await readOwn(path)).refused ?? "", /link of another user/);
});

void it("survives links to a folder that go round in circles", posix, async (t) => {
  const loop = join(temporaryFolder(t), "loop");
  symlinkSync("loop", loop);
  const licenseFile = join(loop, "license.bin");
  assert.equal(findPlaces({ licenseFile }, "p", "/app").licenseFile, licenseFile);
  assert.match((await readOwn(licenseFile)).refused ?? "", /circles/);
  assert.match((await acquireInstance(loop)).value, /^[0-9a-f]{32}$/);
});

void it("keeps no state in a folder that every user may write to", posix, (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o1777);
  const licenseFile = join(folder, "license.bin");
  assert.match(findPlaces({ licenseFile }, "p", "/app").stateFolder, /licet.p$/);
  const shared = findPlaces({ allUsers: true }, "p", "/app");
  assert.match(shared.stateFolder, /licet.p$/);
  assert.notEqual(join(shared.stateFolder, "license.bin"), shared.licenseFile);
});

void it("passes over a license.bin that cannot be read where there is another", async (t) => {
  const folder = temporaryFolder(t);
  const licenseFile = join(folder, "x".repeat(300));
  const installedFile = join(folder, "license.bin");
  const places = { licenseFile, installedFile, isNamed: false, stateFolder: folder };
  const read = () => readLicense(places, null, 99, () => Promise.resolve(false));
  await assert.rejects(read(), /x{300} cannot be read/);
  writeFileSync(installedFile, "content");
  const { content, refused } = await read();
  assert.deepEqual(content, new Uint8Array(Buffer.from("content")));
  assert.match(refused ?? "", /x{300} cannot be read/);
});
