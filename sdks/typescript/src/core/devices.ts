/** The devices that hold a seat, of which the application may free one: "free another device". */

import { call } from "./api.js";
import { optionalInteger } from "./claims.js";
import type { LicenseCore } from "./core.js";
import { isObject } from "./json.js";
import { unexpectedReply } from "./reply.js";
import { asDate, parseTime } from "./time.js";

const DEVICES = "/activations";

/** A device that holds a seat of the license. */
export interface Device {
  /** Identifies its activation. */
  readonly id: string;
  /** The name that the application sent, if it did. */
  readonly name: string | null;
  readonly os: string | null;
  /** When the server last heard of it, exact to an hour. */
  readonly lastSeenAt: Date | null;
  /**
   * When its seat is free if it is released: at the end of the license.bin that it has; `null` if at
   * once.
   */
  readonly seatFreeAt: Date | null;
  /** Whether it is this device. */
  readonly current: boolean;
}

/** The devices of a license. */
export interface Devices {
  /** The longest unseen first, at most 100. */
  readonly items: readonly Device[];
  /** How many more may be released from inside applications at present. */
  readonly releasesLeft: number | null;
}

/** Lists the devices that hold a seat. */
export async function listDevices(core: LicenseCore, licenseKey: string): Promise<Devices> {
  const fields = { licenseKey, hardwareId: await core.hardwareId() };
  const headers = core.credentialHeaders;
  const { body, requestId } = await call(core, DEVICES, fields, { method: "GET", headers });
  const { items } = body;
  const read = Array.isArray(items) ? items.map(readDevice) : [null];
  const known = read.filter((item) => item !== null);
  if (known.length < read.length) throw unexpectedReply("the devices", requestId);
  return { items: known, releasesLeft: optionalInteger(body["releasesLeft"]) };
}

/** Releases the seat of a device. */
export async function releaseDevice(
  core: LicenseCore,
  licenseKey: string,
  device: Pick<Device, "id">,
): Promise<Device> {
  const fields = { licenseKey, hardwareId: await core.hardwareId(), ...core.credentials };
  const path = `${DEVICES}/${encodeURIComponent(device.id)}/release`;
  const { body, requestId } = await call(core, path, fields);
  const released = readDevice(body);
  if (released?.id !== device.id) throw unexpectedReply("the device", requestId);
  return released;
}

function readDevice(item: unknown): Device | null {
  if (!isObject(item)) return null;
  const { id, deviceName, os, current } = item;
  if (typeof id !== "string") return null;
  return {
    id,
    name: typeof deviceName === "string" ? deviceName : null,
    os: typeof os === "string" ? os : null,
    lastSeenAt: asDate(parseTime(item["lastSeenAt"])),
    seatFreeAt: asDate(parseTime(item["seatFreeAt"])),
    current: current === true,
  };
}
