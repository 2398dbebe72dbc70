/**
 * License keys: normal form and check symbol.
 *
 * A generated key has 25 symbols of Crockford's base32, the last of them a Luhn mod 32 check symbol.
 * Any other string of 8 to 128 printable ASCII characters is an imported key and is compared as is.
 */

import { encodeBase64Url, sha256, utf8 } from "./bytes.js";
import { ConfigurationError } from "./errors.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
export const MIN_PROTECTION_KEY_LENGTH = 20;

/** The Luhn mod 32 check symbol of a payload of symbols. */
export function checkSymbol(payload: string): string {
  let total = 0;
  let factor = 2;
  for (const symbol of payload.split("").reverse()) {
    const addend = factor * ALPHABET.indexOf(symbol);
    total += Math.floor(addend / 32) + (addend % 32);
    factor = 3 - factor;
  }
  return ALPHABET.charAt((32 - (total % 32)) % 32);
}

/** Whether this is a generated key in normal form with a correct check symbol. */
export function isGeneratedKey(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{25}$/.test(text) && checkSymbol(text.slice(0, -1)) === text.slice(-1);
}

/**
 * Converts a key to the form in which keys are compared and hashed.
 *
 * @throws ConfigurationError The text cannot be a license key.
 */
export function normalForm(text: string): string {
  const trimmed = text.trim();
  const candidate = trimmed
    .replace(/[ -]/g, "")
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/[IL]/g, "1")
    .replaceAll("O", "0");
  if (isGeneratedKey(candidate)) return candidate;
  if (trimmed.length < MIN_LENGTH || trimmed.length > MAX_LENGTH) {
    throw new ConfigurationError(
      `A license key has ${MIN_LENGTH} to ${MAX_LENGTH} characters; this one has ` +
        `${trimmed.length}. Check that it was copied completely.`,
    );
  }
  if (!/^[ -~]*$/.test(trimmed)) {
    throw new ConfigurationError(
      "The license key contains characters that are not allowed (only printable ASCII is). " +
        "Copy it again from the original message.",
    );
  }
  return trimmed;
}

/** The base64url SHA-256 that identifies the key in a signed verdict. */
export async function keyHash(normal: string): Promise<string> {
  return encodeBase64Url(await sha256(utf8(normal)));
}
