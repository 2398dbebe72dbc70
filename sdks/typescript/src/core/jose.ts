/** Strict verification of compact JWS. Only RS256 is verified, whatever the header says. */

import { type Bytes, decodeBase64Url, utf8 } from "./bytes.js";
import { type Json, parseObject } from "./json.js";
import type { TrustedKey } from "./publicKey.js";

export const MAX_TOKEN_BYTES = 1 << 20;

/** The token cannot be trusted; the message names the failed check. */
export class RejectedToken extends Error {}

export function reject(failure: string): never {
  throw new RejectedToken(failure);
}

export function requireThat(holds: boolean, failure: string): asserts holds {
  if (!holds) reject(failure);
}

export function decodeSegment(segment: string): Bytes {
  return decodeBase64Url(segment) ?? reject("it is not canonical base64url");
}

/** Splits a compact token into its segments, each of them decoded. */
export function splitToken(token: string, parts: number): Bytes[] {
  const segments = token.split(".");
  requireThat(
    token.length <= MAX_TOKEN_BYTES && segments.length === parts,
    `it is not a token of ${parts} parts`,
  );
  return segments.map(decodeSegment);
}

export function readObject(raw: Bytes): Json {
  return parseObject(raw) ?? reject("it does not contain a JSON object");
}

/** The header that a token of so many parts claims to have. Verifies nothing. */
export function claimedHeader(token: string, parts: number): Json | null {
  const [head = "", ...rest] = token.split(".");
  const raw = rest.length === parts - 1 ? decodeBase64Url(head) : null;
  return raw && parseObject(raw);
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
  const extended = "crit" in header || "b64" in header;
  requireThat(
    header["alg"] === "RS256" && header["typ"] === typ && !extended,
    `it is not a ${typ} signed with RS256`,
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

/** Whether this claims to be the protected form, a JWE. Verifies nothing. */
export function isProtected(token: string): boolean {
  return "enc" in (claimedHeader(token, 5) ?? {});
}
