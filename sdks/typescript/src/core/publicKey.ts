/** The product's public keys, embedded in the application. */

import { type Bytes, decodeBase64, encodeBase64Url, sha256, utf8 } from "./bytes.js";
import { ConfigurationError } from "./errors.js";

const MIN_BITS = 2048;
const MAX_KEYS = 16;
const RSA_OID = "2a864886f70d010101";

/** The numbers of an RSA public key, as in a JWK. */
export interface RsaNumbers {
  readonly n: string;
  readonly e: string;
}

/** A key to verify signatures with, and its RFC 7638 thumbprint. */
export interface TrustedKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/**
 * Reads the keys that an application trusts; one that is given twice counts once.
 *
 * @throws ConfigurationError It is not a list of 1 to 16 public keys.
 */
export function readPublicKeys(given: unknown): readonly RsaNumbers[] {
  if (!Array.isArray(given) || given.length < 1 || given.length > MAX_KEYS) {
    throw new ConfigurationError(`PublicKeys must be a list of 1 to ${MAX_KEYS} public keys.`);
  }
  const keys = given.map(readPublicKey);
  return [...new Map(keys.map((key) => [key.n, key])).values()];
}

/**
 * Reads PEM, or Base64 of SPKI DER, the forms shown in the dashboard.
 *
 * @throws ConfigurationError This is not an RSA public key of at least 2048 bits.
 */
export function readPublicKey(given: unknown): RsaNumbers {
  if (typeof given !== "string") throw new ConfigurationError("A public key must be a string.");
  if (given.includes("PRIVATE KEY")) {
    throw new ConfigurationError(
      "PublicKey contains a PRIVATE key, which must never leave the server. Remove it from " +
        "the application, generate a new key pair for the product, and use the public key.",
    );
  }
  const pem = /^-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----$/.exec(given.trim());
  const der = decodeBase64((pem?.[1] ?? given).replace(/\s/g, ""));
  const key = der !== null && der.length > 0 ? readSpki(der) : null;
  if (key === null) {
    throw new ConfigurationError(
      "PublicKey is neither PEM nor Base64 of an RSA public key. Copy the complete key from the " +
        "product's page, including the BEGIN and END lines if it is PEM.",
    );
  }
  const bits = bitsOf(key.modulus);
  if (bits < MIN_BITS) {
    throw new ConfigurationError(
      `PublicKey has ${bits} bits; at least ${MIN_BITS} are required. ` +
        "Generate a new key pair for the product.",
    );
  }
  return { n: encodeBase64Url(key.modulus), e: encodeBase64Url(key.exponent) };
}

/** Makes a key usable by WebCrypto. */
export async function trustKey({ n, e }: RsaNumbers): Promise<TrustedKey> {
  const thumbprint = await sha256(utf8(JSON.stringify({ e, kty: "RSA", n })));
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const jwk = { kty: "RSA", n, e, alg: "RS256", ext: true };
  const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
  return { kid: encodeBase64Url(thumbprint), key };
}

function bitsOf(modulus: Bytes): number {
  return modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
}

interface Element {
  readonly tag: number;
  readonly content: Bytes;
  readonly rest: Bytes;
}

/** Reads SubjectPublicKeyInfo; `null` if it is not that of an RSA key. */
function readSpki(der: Bytes): { modulus: Bytes; exponent: Bytes } | null {
  const outer = readElement(der, 0x30);
  const algorithm = outer && outer.rest.length === 0 ? readElement(outer.content, 0x30) : null;
  const oid = algorithm && readElement(algorithm.content, 0x06);
  const bits = algorithm && readElement(algorithm.rest, 0x03);
  if (!oid || !bits || bits.rest.length > 0 || bits.content[0] !== 0) return null;
  if (Array.from(oid.content, (byte) => byte.toString(16).padStart(2, "0")).join("") !== RSA_OID) {
    return null;
  }
  const numbers = readElement(bits.content.slice(1), 0x30);
  const modulus = numbers && readElement(numbers.content, 0x02);
  const exponent = modulus && readElement(modulus.rest, 0x02);
  if (!modulus || !exponent || exponent.rest.length > 0) return null;
  return { modulus: unsigned(modulus.content), exponent: unsigned(exponent.content) };
}

function readElement(der: Bytes, expected: number): Element | null {
  const [tag, first] = der;
  if (tag !== expected || first === undefined) return null;
  const extra = first < 0x80 ? 0 : first - 0x80;
  if (extra > 2 || (first >= 0x80 && extra === 0)) return null;
  let length = extra === 0 ? first : 0;
  for (const byte of der.slice(2, 2 + extra)) length = length * 256 + byte;
  const end = 2 + extra + length;
  if (der.length < end) return null;
  return { tag, content: der.slice(2 + extra, end), rest: der.slice(end) };
}

function unsigned(integer: Bytes): Bytes {
  let start = 0;
  while (start < integer.length - 1 && integer[start] === 0) start += 1;
  return integer.slice(start);
}
