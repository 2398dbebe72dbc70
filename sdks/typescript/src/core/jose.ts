/**
 * Strict verification of compact JWS and decryption of compact JWE.
 *
 * Only RS256 is verified and only `dir` with A256GCM is decrypted, whatever the header says.
 */

import { type Bytes, decodeBase64Url, fromUtf8, utf8 } from "./bytes.js";
import type { TrustedKey } from "./publicKey.js";

export const MAX_TOKEN_BYTES = 1 << 20;
const FILE_KEY_INFO = "licet/license-file/v1";

export type Json = Readonly<Record<string, unknown>>;

/** The token cannot be trusted; the message names the failed check. */
export class RejectedToken extends Error {}

export function reject(failure: string): never {
  throw new RejectedToken(failure);
}

export function requireThat(holds: boolean, failure: string): asserts holds {
  if (!holds) reject(failure);
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function decodeSegment(segment: string): Bytes {
  return decodeBase64Url(segment) ?? reject("it is not canonical base64url");
}

/** Splits a compact token into its segments, each of them decoded. */
function splitToken(token: string, parts: number): Bytes[] {
  const segments = token.split(".");
  requireThat(
    token.length <= MAX_TOKEN_BYTES && segments.length === parts,
    `it is not a token of ${parts} parts`,
  );
  return segments.map(decodeSegment);
}

function readObject(raw: Bytes): Json {
  let value: unknown;
  try {
    value = JSON.parse(fromUtf8(raw) ?? "");
  } catch {
    reject("it does not contain JSON");
  }
  return isObject(value) ? value : reject("it does not contain a JSON object");
}

/** The type that a JWS claims to have; `null` if it is none. Verifies nothing. */
export function claimedType(token: string): unknown {
  return token.split(".").length === 3 ? (claimedHeader(token)?.["typ"] ?? null) : null;
}

function claimedHeader(token: string): Json | null {
  try {
    return readObject(decodeSegment(token.slice(0, token.indexOf("."))));
  } catch {
    return null;
  }
}

/**
 * Verifies a JWS signed by one of the keys with RS256 and this type, and returns its claims.
 *
 * @throws RejectedToken A check failed.
 */
export async function verifyToken(
  token: string,
  keys: readonly TrustedKey[],
  typ: string,
  needKid: boolean,
): Promise<Json> {
  const [head, payload, signature] = splitToken(token, 3) as [Bytes, Bytes, Bytes];
  const header = readObject(head);
  requireThat(header["alg"] === "RS256", "it is not signed with RS256");
  requireThat(header["typ"] === typ, `its type is not ${typ}`);
  requireThat(
    !("crit" in header || "b64" in header),
    "it requires extensions that this version does not support",
  );
  const unnamed = !needKid && !("kid" in header);
  const candidates = keys.filter(({ kid }) => unnamed || kid === header["kid"]);
  requireThat(candidates.length > 0, "it is signed with a different key than the application's");
  const signed = utf8(token.slice(0, token.lastIndexOf(".")));
  for (const { key } of candidates) {
    if (await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, signature, signed)) {
      return readObject(payload);
    }
  }
  return reject("its signature does not match its content");
}

/** Derives the 32 bytes that decrypt a protected file of this license key. */
export async function deriveFileKey(normalKey: string, salt: Bytes): Promise<Bytes> {
  const material = await crypto.subtle.importKey("raw", utf8(normalKey), "HKDF", false, [
    "deriveBits",
  ]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info: utf8(FILE_KEY_INFO) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256));
}

/** Whether this claims to be the protected form, a JWE. Verifies nothing. */
export function isProtected(token: string): boolean {
  const header = token.split(".").length === 5 ? claimedHeader(token) : null;
  return header !== null && "enc" in header;
}

/**
 * Decrypts a protected file and returns the JWS inside.
 *
 * @throws RejectedToken The file was edited, or is encrypted for another license key.
 */
export async function openProtected(token: string, normalKey: string): Promise<string> {
  const [head, wrapped, iv, content, tag] = splitToken(token, 5) as [
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes, // prettier-ignore
  ];
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
