/** Bytes, their spellings, and the digests of WebCrypto. */

export type Bytes = Uint8Array<ArrayBuffer>;

const ENCODER = new TextEncoder();

export function utf8(text: string): Bytes {
  return ENCODER.encode(text);
}

/** The text of UTF-8 bytes; `null` if they are not valid UTF-8. */
export function fromUtf8(bytes: Bytes): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function encodeBase64Url(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decodes canonical base64url without padding; `null` for anything else. Lenient decoders ignore
 * the unused bits of the last symbol, so an edited signature would still verify.
 */
export function decodeBase64Url(segment: string): Bytes | null {
  if (!/^[\w-]*$/.test(segment)) return null;
  const bytes = decodeBase64(segment.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes !== null && encodeBase64Url(bytes) === segment ? bytes : null;
}

/** Decodes Base64; `null` if it is not. */
export function decodeBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function random(count: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(count));
}

export function randomHex(count: number): string {
  return hex(random(count));
}

export function randomToken(count: number): string {
  return encodeBase64Url(random(count));
}

/** A random number from 0 to 1, to spread what many clients do. */
export function jitter(): number {
  return Math.random();
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function hmacSha256(key: Bytes, bytes: Bytes): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}
