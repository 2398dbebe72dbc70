/**
 * The hardware ID: one per machine and product, stable and never empty.
 *
 * It consists of `h1` (the version of this algorithm), a letter for its source, a dash and 40 hex
 * digits of an HMAC keyed with the product ID. Sources, by letter: `m` the operating system's machine
 * ID; `j` the project of a CI job; `c` the machine ID in a container image; `n` the host name; `s` a
 * random ID stored on this machine because there was no other source. Every SDK has the same recipe.
 */

import { join } from "node:path";

import { type Bytes, hex, hmacSha256, randomHex, sha256, utf8 } from "../core/bytes.js";
import type { HardwareId } from "../core/platform.js";
import { FILES } from "./files.js";
import { ciProject, inContainer, isMounted, type Machine } from "./machine.js";

const STORED_NAME = "licet-device-id";
export const LINUX_FILES = ["/etc/machine-id", "/var/lib/dbus/machine-id"] as const;
const PLACEHOLDER = /^(?:(.)\1*|uninitialized|none|unknown|localhost)$/;
const GENERATED_HOST_NAME = /^(?:[0-9a-f]{12}|.*-[a-z0-9]{8,10}-[a-z0-9]{5}|localhost|)$/;

type Found = readonly [source: string, raw: string];

/**
 * Determines the hardware ID of a machine for one product.
 *
 * @param folder Where to store a random ID if necessary; it does not have to be writable.
 * @param acceptsCi Whether the project of a CI job may be the source.
 */
export async function findHardwareId(
  productId: string,
  folder: string,
  machine: Machine,
  acceptsCi: boolean,
): Promise<HardwareId> {
  // A hosted CI runner is a new machine for each job and would take a seat each time.
  const project = acceptsCi ? ciProject(machine) : null;
  const [source, raw] =
    project === null ? await identify(machine, folder) : (["j", project] as const);
  const key: Bytes = await sha256(utf8(`licet/hardware-id/v1\0${productId}`));
  const digest = hex(await hmacSha256(key, utf8(`${source}:${raw}`)));
  return { value: `h1${source}-${digest.slice(0, 40)}`, source };
}

/** Whether this is a container without a machine ID mounted from outside. */
export async function inEphemeralContainer(machine: Machine): Promise<boolean> {
  if (!(await inContainer(machine))) return false;
  const found = await linuxMachineId(machine);
  return found === null || !(await isMounted(machine, found.path));
}

async function identify(machine: Machine, folder: string): Promise<Found> {
  const contained = await inContainer(machine);
  const found = await machineId(machine);
  if (found === null) return fallback(machine, folder);
  // If mounted from the host, it identifies the host. Otherwise all containers of the image share
  // it, which the vendor can see by the letter.
  const shared = contained && found.path !== null && !(await isMounted(machine, found.path));
  return [shared ? "c" : "m", found.id];
}

async function machineId(machine: Machine): Promise<{ id: string; path: string | null } | null> {
  if (machine.platform === "win32") return withoutPath(normalize(await machine.machineGuid()));
  if (machine.platform === "darwin") {
    const printed = (await machine.ioreg()) ?? "";
    return withoutPath(normalize(/"IOPlatformUUID"\s*=\s*"([^"]+)"/.exec(printed)?.[1] ?? null));
  }
  return linuxMachineId(machine);
}

function withoutPath(id: string | null): { id: string; path: null } | null {
  return id === null ? null : { id, path: null };
}

async function linuxMachineId(machine: Machine): Promise<{ id: string; path: string } | null> {
  for (const path of LINUX_FILES) {
    const id = normalize(await machine.read(path));
    if (id !== null) return { id, path };
  }
  return null;
}

async function fallback(machine: Machine, folder: string): Promise<Found> {
  const path = join(folder, STORED_NAME);
  const stored = await readStored(path);
  if (stored !== null) return ["s", stored];
  const hostName = machine.hostName().trim().toLowerCase();
  if (!GENERATED_HOST_NAME.test(hostName)) return ["n", hostName];
  const created = randomHex(16);
  try {
    await FILES.write(path, utf8(created));
  } catch {
    return ["n", hostName || "nameless"];
  }
  return ["s", (await readStored(path)) ?? created];
}

async function readStored(path: string): Promise<string | null> {
  try {
    const raw = await FILES.read(path, 256);
    return raw === null ? null : normalize(Buffer.from(raw).toString("latin1"));
  } catch {
    return null;
  }
}

/** Normalizes an identifier; `null` if it is unusable, such as zeros or a placeholder. */
function normalize(raw: string | null): string | null {
  const text = (raw ?? "")
    .trim()
    .replace(/^\0+|\0+$/g, "")
    .toLowerCase();
  return text.length >= 8 && !PLACEHOLDER.test(text.replaceAll("-", "")) ? text : null;
}
