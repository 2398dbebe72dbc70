/**
 * Decryption of the protected form of license.bin, a compact JWE. Only `dir` with A256GCM is
 * decrypted, whatever the header says.
 */

import { type Bytes, fromUtf8, utf8 } from "./bytes.js";
import { decodeSegment, readObject, reject, requireThat, splitToken } from "./jose.js";

const FILE_KEY_INFO = "licet/license-file/v1";

/** Derives the 32 bytes that decrypt a protected file of this license key. */
export async function deriveFileKey(normalKey: string, salt: Bytes): Promise<Bytes> {
  const material = await crypto.subtle.importKey("raw", utf8(normalKey), "HKDF", false, [
    "deriveBits",
  ]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info: utf8(FILE_KEY_INFO) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256));
}

/**
 * Decrypts a protected file and returns the JWS inside.
 *
 * @throws RejectedToken The file was edited, or is encrypted for another license key.
 */
export async function openProtected(token: string, normalKey: string): Promise<string> {
  const parts = splitToken(token, 5) as [Bytes, Bytes, Bytes, Bytes, Bytes];
  const [head, wrapped, iv, content, tag] = parts;
  const header = readObject(head);
  const fits =
    header["alg"] === "dir" &&
    header["enc"] === "A256GCM" &&
    header["cty"] === "license+jwt" &&
    !("zip" in header || "crit" in header) &&
    wrapped.length === 0;
  const salt = header["salt"];
  requireThat(fits && typeof salt === "string", "it is not a protected license file");
  const saltBytes = decodeSegment(salt);
  requireThat(saltBytes.length >= 16 && saltBytes.length <= 64, "its salt has the wrong length");
  requireThat(iv.length === 12 && tag.length === 16, "it was edited");
  const raw = await deriveFileKey(normalKey, saltBytes);
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const additionalData = utf8(token.slice(0, token.indexOf(".")));
  const sealed = new Uint8Array(content.length + tag.length);
  sealed.set(content);
  sealed.set(tag, content.length);
  try {
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv, additionalData },
      key,
      sealed,
    );
    return fromUtf8(new Uint8Array(opened)) ?? reject("it does not contain a license");
  } catch {
    return reject("it was edited, or is encrypted for another license key");
  }
}
