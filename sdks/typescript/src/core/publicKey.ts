/** The product's public keys, embedded in the application. */

import { type Bytes, decodeBase64, encodeBase64Url, hex, sha256, utf8 } from "./bytes.js";
import { ConfigurationError } from "./errors.js";

const MIN_BITS = 2048;
const MAX_KEYS = 16;
/**
 * DER in hexadecimal: a sequence of the algorithm (RSA, without parameters) and a bit string with the
 * two integers. Of the first, this finds the length. A key of 2048 bits or more has lengths of two
 * bytes everywhere but in the exponent.
 */
const SPKI = /^3082.{4}300d06092a864886f70d01010105000382.{4}003082.{4}0282(.{4})(.+)$/;

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
 * Reads the keys that an application trusts, of which it names one or a list.
 *
 * @throws ConfigurationError There is none, there are two lists of them, or one is not a public key.
 */
export function readTrustedKeys(one: unknown, several: unknown): readonly RsaNumbers[] {
  if (one !== null && several !== null) {
    throw new ConfigurationError(
      "PublicKey and PublicKeys set the same option; remove one of them.",
    );
  }
  if (several !== null) return readPublicKeys(several);
  if (one !== null && one !== "") return [readPublicKey(one)];
  throw new ConfigurationError(
    "PublicKey is missing. The product's page in the dashboard shows it.",
  );
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
      "PublicKey contains a PRIVATE key, which must never leave the server. Generate a new key " +
        "pair for the product, and use its public key.",
    );
  }
  const pem = /^-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----$/.exec(given.trim());
  const der = decodeBase64((pem?.[1] ?? given).replace(/\s/g, ""));
  const key = der && readSpki(der);
  if (key === null) {
    throw new ConfigurationError(
      `PublicKey is neither PEM nor Base64 of an RSA public key of ${MIN_BITS} bits or more. Copy ` +
        "it again from the product's page in the dashboard, completely.",
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

/** Reads SubjectPublicKeyInfo; `null` if it is not that of an RSA key. */
function readSpki(der: Bytes): { modulus: Bytes; exponent: Bytes } | null {
  const [, length, numbers] = SPKI.exec(hex(der)) ?? [];
  if (length === undefined || numbers === undefined) return null;
  const start = der.length - numbers.length / 2;
  const end = start + parseInt(length, 16);
  const [tag, size] = der.slice(end);
  const exponent = der.slice(end + 2);
  if (tag !== 0x02 || size !== exponent.length) return null;
  return { modulus: unsigned(der.slice(start, end)), exponent: unsigned(exponent) };
}

function unsigned(integer: Bytes): Bytes {
  let start = 0;
  while (start < integer.length - 1 && integer[start] === 0) start += 1;
  return integer.slice(start);
}
