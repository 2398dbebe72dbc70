/** The hardware ID is the same as that of the other SDKs. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { findComponents, readComponents } from "../src/node/components.js";
import { findHardwareId } from "../src/node/hardware.js";
import type { Machine } from "../src/node/machine.js";
import { operatingSystem, registryValue, THIS_MACHINE } from "../src/node/machine.js";
import { clientIn, temporaryFolder } from "./clients.js";
import { PYTHON } from "./fake.js";
import { FILES } from "./vectors.js";

const PRODUCT = "01920000-0000-7000-8000-000000000001";
const MACHINE_ID = "4c5d6e7f8a9b0c1d2e3f405162738495";

/** The facts of a machine, as far as they differ from a plain Linux machine. */
interface Facts {
  readonly platform?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly ioreg?: string;
  readonly guid?: string;
  readonly hostName?: string;
}

function machine({ platform = "linux", env = {}, files = {}, ...facts }: Facts): Machine {
  return {
    platform,
    env,
    read: (path) => Promise.resolve(files[path] ?? null),
    exists: (path) => path in files,
    names: () => Promise.resolve([]),
    diskutil: () => Promise.resolve(null),
    registry: () => Promise.resolve(null),
    ioreg: () => Promise.resolve(facts.ioreg ?? null),
    machineGuid: () => Promise.resolve(facts.guid ?? null),
    hostName: () => facts.hostName ?? "desk",
  };
}

const IN_CONTAINER = { "/.dockerenv": "", "/etc/machine-id": MACHINE_ID };
const CASES: Readonly<Record<string, Facts>> = {
  "a Linux machine": { files: { "/etc/machine-id": `${MACHINE_ID.toUpperCase()}\n` } },
  "a Linux machine with D-Bus alone": {
    files: { "/etc/machine-id": "uninitialized\n", "/var/lib/dbus/machine-id": MACHINE_ID },
  },
  "a Mac": {
    platform: "darwin",
    ioreg: `  | "IOPlatformUUID" = "AAAAAAAA-1111-2222-3333-444444444444"\n`,
  },
  Windows: { platform: "win32", guid: "0A1B2C3D-1111-2222-3333-444444444444" },
  "Windows with a GUID of zeros": {
    platform: "win32",
    guid: "00000000-0000-0000-0000-000000000000",
    hostName: "DESK-7",
  },
  "a job of a CI project": {
    env: {
      GITHUB_ACTIONS: "true",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "a/b",
    },
    files: { "/etc/machine-id": MACHINE_ID },
  },
  "a container of an image": { files: IN_CONTAINER },
  "a container with the host's ID": {
    files: {
      ...IN_CONTAINER,
      "/proc/self/mountinfo": "1 2 0:1 / /etc/machine-id ro - ext4 /dev/sda rw\n",
    },
  },
  "a container with a name alone": {
    files: { "/proc/1/cgroup": "0::/kubepods/x" },
    hostName: "render-7",
  },
};

const COMPARE = `
import json, sys
from pathlib import Path
from licet._hardware import find_hardware_id

class Machine:
    def __init__(self, facts):
        self.platform, self.env = facts.get("platform", "linux"), facts.get("env", {})
        self.facts, self.files = facts, facts.get("files", {})
    def read(self, path): return self.files.get(path)
    def exists(self, path): return path in self.files
    def run(self, command): return self.facts.get("ioreg")
    def registry(self, key, name): return self.facts.get("guid")
    def host_name(self): return self.facts.get("hostName", "desk")

for facts in json.load(sys.stdin):
    print(find_hardware_id(sys.argv[1], Path(sys.argv[2]), Machine(facts)).value)
`;

void it("is that of the Python SDK for the same facts", async (t) => {
  const folder = temporaryFolder(t);
  const input = JSON.stringify(Object.values(CASES));
  const printed = execFileSync(PYTHON, ["-c", COMPARE, PRODUCT, folder], { input });
  const expected = printed.toString().trim().split("\n");
  for (const [index, [name, facts]] of Object.entries(CASES).entries()) {
    const { value } = await findHardwareId(PRODUCT, folder, machine(facts), true);
    assert.equal(value, expected[index], name);
  }
  assert.equal(new Set(expected.map((id) => id.charAt(2))).size, 4);
});

void it("is that of the Python SDK on this machine", async (t) => {
  const folder = temporaryFolder(t);
  const program =
    "import sys; from pathlib import Path; from licet._hardware import find_hardware_id; " +
    "print(find_hardware_id(sys.argv[1], Path(sys.argv[2])).value)";
  const printed = execFileSync(PYTHON, ["-c", program, PRODUCT, folder]).toString().trim();
  const options = { productId: PRODUCT, publicKey: FILES.publicKey };
  assert.equal(await clientIn(folder, null, options).hardwareId(), printed);
});

void it(
  "describes the operating system as the Python SDK does",
  { skip: process.platform !== "linux" },
  () => {
    const program = "from licet._machine import operating_system; print(operating_system())";
    assert.equal(operatingSystem(), execFileSync(PYTHON, ["-c", program]).toString().trim());
  },
);

void it("differs between products", async (t) => {
  const folder = temporaryFolder(t);
  const here = machine(CASES["a Mac"] ?? {});
  const [one, other] = [
    await findHardwareId("one", folder, here, true),
    await findHardwareId("other", folder, here, true),
  ];
  assert.notEqual(one.value, other.value);
});

void it("does not follow the variables of CI if it must not", async (t) => {
  const facts = machine(CASES["a job of a CI project"] ?? {});
  const found = await findHardwareId(PRODUCT, temporaryFolder(t), facts, false);
  assert.equal(found.source, "m");
});

void it("keeps a random ID where there is nothing else", async (t) => {
  const folder = temporaryFolder(t);
  const bare = machine({ hostName: "localhost" });
  const { value, source } = await findHardwareId(PRODUCT, folder, bare, true);
  assert.equal(source, "s");
  assert.match(readFileSync(join(folder, "licet-device-id"), "utf8"), /^[0-9a-f]{32}$/);
  assert.equal((await findHardwareId(PRODUCT, folder, bare, true)).value, value);
  writeFileSync(join(folder, "taken"), "");
  const unwritable = await findHardwareId(PRODUCT, join(folder, "taken"), bare, true);
  assert.equal(unwritable.source, "n");
});

void it("reads what the registry prints", () => {
  const printed =
    "\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\MountedDevices\r\n" +
    "    \\DosDevices\\C:    REG_BINARY    444D494F\r\n" +
    "    ProcessorNameString    REG_SZ    Intel(R) Core(TM) i7 @ 3.00GHz\r\n\r\n";
  assert.equal(registryValue(printed, "\\DosDevices\\C:"), "444D494F");
  assert.equal(registryValue(printed, "ProcessorNameString"), "Intel(R) Core(TM) i7 @ 3.00GHz");
  assert.equal(registryValue(printed, "\\DosDevices\\D:"), null);
});

void it("reads the components of this machine once, and never fails", async () => {
  assert.ok(Object.values(await readComponents(THIS_MACHINE)).every((value) => value !== ""));
  assert.deepEqual(await findComponents(PRODUCT), await findComponents(PRODUCT));
  assert.deepEqual(await THIS_MACHINE.names("/no/such/folder"), []);
});
