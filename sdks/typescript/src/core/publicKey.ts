/** The product's public keys, embedded in the application. */

import { type Bytes, decodeBase64, encodeBase64Url, hex, sha256, utf8 } from "./bytes.js";
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
  const key = der !== null && der.length > 0 ? readSpki(der) : null;
  if (key === null) {
    throw new ConfigurationError(
      "PublicKey is neither PEM nor Base64 of an RSA public key. Copy it again from the product's " +
        "page in the dashboard, completely.",
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
  try {
    const [outer, end] = readElement(der, 0x30);
    const [algorithm, rest] = readElement(outer, 0x30);
    const [oid] = readElement(algorithm, 0x06);
    const [bits, more] = readElement(rest, 0x03);
    const [numbers] = readElement(bits.slice(1), 0x30);
    const [modulus, next] = readElement(numbers, 0x02);
    const [exponent, last] = readElement(next, 0x02);
    const whole = end.length + more.length + last.length === 0 && bits[0] === 0;
    if (!whole || hex(oid) !== RSA_OID) return null;
    return { modulus: unsigned(modulus), exponent: unsigned(exponent) };
  } catch {
    return null;
  }
}

/** The content of a DER element with this tag, and what follows it. */
function readElement(der: Bytes, expected: number): [content: Bytes, rest: Bytes] {
  const [tag, first = 0x80] = der;
  const extra = first < 0x80 ? 0 : first - 0x80;
  let length = extra === 0 ? first : 0;
  for (const byte of der.slice(2, 2 + extra)) length = length * 256 + byte;
  const end = 2 + extra + length;
  const fits = tag === expected && first !== 0x80 && extra <= 2 && der.length >= end;
  if (!fits) throw new RangeError("not this element");
  return [der.slice(2 + extra, end), der.slice(end)];
}

function unsigned(integer: Bytes): Bytes {
  let start = 0;
  while (start < integer.length - 1 && integer[start] === 0) start += 1;
  return integer.slice(start);
}
