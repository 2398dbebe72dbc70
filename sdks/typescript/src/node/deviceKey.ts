/** The device key in a file of the state folder, which only this user may read. */

import { utf8 } from "../core/bytes.js";
import { type DeviceKey, type DeviceKeys, ES256, publicJwk } from "../core/deviceKey.js";
import { parseObject } from "../core/json.js";
import { createOnce, readSecret } from "./files.js";

const MAX_BYTES = 4096;

export const KEY_FILES: DeviceKeys = {
  async find(path) {
    const raw = await readSecret(path, MAX_BYTES);
    return raw && importKey(parseObject(raw) ?? {});
  },
  async make(path) {
    const { privateKey } = await crypto.subtle.generateKey(ES256, true, ["sign", "verify"]);
    const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", privateKey);
    await createOnce(path, utf8(JSON.stringify({ kty, crv, x, y, d })));
    return this.find(path);
  },
};

/**
 * The key that a private JWK is.
 *
 * @throws Error It is not one of P-256.
 */
export async function importKey({ kty, crv, x, y, d }: JsonWebKey): Promise<DeviceKey> {
  const jwk = { kty, crv, x, y, d } as JsonWebKey;
  // Node takes numbers that are spelled in other ways, too.
  const isSpelled = [x, y, d].every((number) => /^[\w-]{43}$/.test(String(number)));
  if (!isSpelled) throw new Error("it is not a private key of P-256");
  return {
    privateKey: await crypto.subtle.importKey("jwk", jwk, ES256, false, ["sign"]),
    jwk: publicJwk(jwk),
  };
}
