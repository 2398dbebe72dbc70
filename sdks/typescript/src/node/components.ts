/**
 * The components of this machine, which recognize it when its hardware ID has changed.
 *
 * Each is 16 hex digits of an HMAC keyed with the product ID, so no serial number leaves the machine.
 * Every SDK has the same recipe.
 */

import { hex, hmacSha256, utf8 } from "../core/bytes.js";
import { LINUX_FILES } from "./hardware.js";
import { ciProject, inContainer, type Machine, THIS_MACHINE } from "./machine.js";
import { findBoard } from "./smbios.js";

export type Components = Readonly<Record<string, string>>;
type Found = Readonly<Record<string, string | null>>;

const DMI = "/sys/class/dmi/id";
const BLOCK = "/sys/class/block";
const DEEPEST = 4;
const HARDWARE_KEY = "HARDWARE\\DESCRIPTION\\System";
const SMBIOS_KEY = "SYSTEM\\CurrentControlSet\\Services\\mssmbios\\Data";
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "uninitialized",
  "none",
  "unknown",
  "localhost",
  "default string",
  "to be filled by o.e.m.",
  "system manufacturer",
  "system product name",
  "system serial number",
  "not specified",
  "not applicable",
  "not available",
  "invalid",
  "00020003000400050006000700080009",
]);

let ofThisMachine: Promise<Components> | null = null;

/**
 * Finds the components of a machine for one product; none if it has fewer than two. What cannot be
 * read is left out. This machine is read once in each process.
 */
export async function findComponents(
  productId: string,
  machine: Machine = THIS_MACHINE,
): Promise<Components> {
  const read = machine === THIS_MACHINE ? (ofThisMachine ??= readComponents(machine)) : null;
  const values = Object.entries((await read) ?? (await readComponents(machine)));
  if (values.length < 2) return {};
  const hashed = values.map(async ([name, value]) => {
    const digest = await hmacSha256(utf8(productId), utf8(`${name}:${value}`));
    return [name, hex(digest).slice(0, 16)] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}

/** Reads the components of a machine in clear; none in a container or a CI job. */
export async function readComponents(machine: Machine): Promise<Components> {
  if (ciProject(machine) !== null || (await inContainer(machine))) return {};
  const read = { win32: onWindows, darwin: onMac }[machine.platform] ?? onLinux;
  const found = Object.entries(await read(machine));
  return Object.fromEntries(found.filter((item): item is [string, string] => item[1] !== null));
}

async function onLinux(machine: Machine): Promise<Found> {
  const read = (path: string): Promise<string | null> => machine.read(path);
  const [maker, product, info, serial, root, ...ids] = await Promise.all([
    read(`${DMI}/sys_vendor`).then(part),
    read(`${DMI}/product_name`).then(part),
    read("/proc/cpuinfo"),
    read("/proc/device-tree/serial-number"),
    rootDevice(machine),
    ...LINUX_FILES.map(read),
  ]);
  const isUnnamed = maker === null && product === null;
  const board = isUnnamed ? part(await read("/proc/device-tree/model")) : product;
  const processor = /^model name\s*:(.*)$/m.exec(info ?? "")?.[1] ?? null;
  return {
    osInstall: ids.map((id) => usable(id)).find((id) => id !== null) ?? null,
    board: usable(serial),
    model: model(maker, board, part(processor)),
    disk: root && (await driveBelow(machine, root, 0)),
    volume: usable((await udev(machine, root)).get("ID_FS_UUID") ?? null),
  };
}

/** The number of the device with the root file system, such as `259:2`. */
async function rootDevice(machine: Machine): Promise<string | null> {
  const mounts = ((await machine.read("/proc/self/mountinfo")) ?? "").split("\n");
  const root = mounts.map((line) => line.trim().split(/\s+/)).findLast((item) => item[4] === "/");
  const number = root?.[2];
  if (root === undefined || number === undefined) return null;
  if (!number.startsWith("0:")) return number;
  // A file system over several devices has a number of its own.
  const rest = root.slice(5);
  const source = rest.includes("-") ? (rest[rest.indexOf("-") + 2] ?? "") : "";
  let name = source.startsWith("/dev/") ? source.slice("/dev/".length) : "";
  if (name.startsWith("mapper/")) name = await mapped(machine, name.slice("mapper/".length));
  if (name === "" || name.includes("/")) return null;
  return (await machine.read(`${BLOCK}/${name}/dev`))?.trim() ?? null;
}

async function mapped(machine: Machine, wanted: string): Promise<string> {
  for (const name of await machine.names(BLOCK)) {
    if (!name.startsWith("dm-")) continue;
    if ((await machine.read(`${BLOCK}/${name}/dm/name`))?.trim() === wanted) return name;
  }
  return "";
}

/** The serial number of the first drive below a device. */
async function driveBelow(machine: Machine, number: string, depth: number): Promise<string | null> {
  const own = usable((await udev(machine, number)).get("ID_SERIAL") ?? null);
  if (own !== null || depth === DEEPEST) return own;
  const slaves = `/sys/dev/block/${number}/slaves`;
  for (const name of (await machine.names(slaves)).sort()) {
    const below = await machine.read(`${slaves}/${name}/dev`);
    const found = below && (await driveBelow(machine, below.trim(), depth + 1));
    if (found) return found;
  }
  return null;
}

/** What the system knows of a block device. */
async function udev(machine: Machine, number: string | null): Promise<Map<string, string>> {
  const text = number === null ? null : await machine.read(`/run/udev/data/b${number}`);
  const lines = (text ?? "").split("\n").filter((line) => line.startsWith("E:"));
  return new Map(
    lines.map((line) => {
      const end = line.indexOf("=");
      return [line.slice(2, end), line.slice(end + 1)];
    }),
  );
}

async function onWindows(machine: Machine): Promise<Found> {
  const drive = (machine.env["SystemDrive"] || "C:").toUpperCase();
  const [id, table, maker, product, processor, volume] = await Promise.all([
    machine.machineGuid(),
    machine.registry(SMBIOS_KEY, "SMBiosData"),
    machine.registry(`${HARDWARE_KEY}\\BIOS`, "SystemManufacturer"),
    machine.registry(`${HARDWARE_KEY}\\BIOS`, "SystemProductName"),
    machine.registry(`${HARDWARE_KEY}\\CentralProcessor\\0`, "ProcessorNameString"),
    machine.registry("SYSTEM\\MountedDevices", `\\DosDevices\\${drive}`),
  ]);
  return {
    osInstall: usable(id),
    board: usable(findBoard(table)),
    model: model(part(maker), part(product), part(processor)),
    volume: usable(volume),
  };
}

async function onMac(machine: Machine): Promise<Found> {
  const [printed, disk] = await Promise.all([machine.ioreg(), machine.diskutil()]);
  const inside = (text: string | null, pattern: RegExp): string | null =>
    pattern.exec(text ?? "")?.[1] ?? null;
  return {
    osInstall: usable(inside(disk, /<key>VolumeUUID<\/key>\s*<string>([^<]+)<\/string>/)),
    board: usable(inside(printed, /"IOPlatformUUID"\s*=\s*"([^"]+)"/)),
    model: model(part(inside(printed, /"model"\s*=\s*<"([^"]+)">/))),
  };
}

function model(...parts: readonly (string | null)[]): string | null {
  return parts.filter((item) => item !== null).join("/") || null;
}

function part(raw: string | null): string | null {
  return usable(raw, 2);
}

/** The normal form of a text; `null` if it is unusable, such as zeros or a placeholder. */
function usable(raw: string | null, least = 8): string | null {
  const text = (raw ?? "")
    .replace(/[^!-~]+/g, " ")
    .replace(/^ | $/g, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const compact = text.replace(/[-_.{} ]/g, "");
  const isNamed = text.length >= least && new Set(compact).size > 1;
  return isNamed && !PLACEHOLDERS.has(text) ? text : null;
}
