/**
 * The keys of a device: a browser has no hardware ID, so a key takes its place; another proves requests.
 *
 * They are random, stay in this browser's profile, and cannot be read or copied by scripts. The ID is
 * `h1b-` and 40 hex digits of an HMAC with its key. Clearing the site's data makes a new device.
 */

import { hex, utf8 } from "../core/bytes.js";
import { type DeviceKey, type DeviceKeys, ES256, publicJwk } from "../core/deviceKey.js";
import type { HardwareId } from "../core/platform.js";
import { readValue, storedOr } from "./storage.js";

const NAME = "device-key";

/** The ID of this browser for one product. */
export async function deviceId(productId: string): Promise<HardwareId> {
  const key = await deviceKey();
  const message = utf8(`licet/device-key/v1\0${productId}`);
  const mac = hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, message)));
  return { value: `h1b-${mac.slice(0, 40)}`, source: "b" };
}

export const STORED_KEYS: DeviceKeys = {
  find: async (path) => readPair(await readValue(path)),
  make: async (path) =>
    readPair(
      await storedOr(path, await crypto.subtle.generateKey(ES256, false, ["sign", "verify"])),
    ),
};

async function readPair(stored: unknown): Promise<DeviceKey | null> {
  if (stored === undefined) return null;
  const { privateKey, publicKey } = stored as CryptoKeyPair;
  return { privateKey, jwk: publicJwk(await crypto.subtle.exportKey("jwk", publicKey)) };
}

async function deviceKey(): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const created = (await crypto.subtle.generateKey(algorithm, false, ["sign"])) as CryptoKey;
  // Where nothing can be stored, each visit is a new device.
  const stored = await storedOr(NAME, created).catch(() => null);
  // The user of a page can store another key.
  const isOwn = stored instanceof CryptoKey && stored.algorithm.name === "HMAC";
  return isOwn ? stored : created;
}
