/**
 * License keys: normal form and check symbol.
 *
 * A generated key has 25 symbols of Crockford's base32, the last of them a Luhn mod 32 check symbol.
 * Nothing but its letters and digits counts. Any other string of 8 to 128 printable ASCII characters
 * is an imported key, which is compared as is, apart from what word processors, mail programs and
 * people put into and around it. The server does the same; `vectors/keys.json` holds both to it.
 */

import { decodeBase64Url, encodeBase64Url, hex, sha256, utf8 } from "./bytes.js";
import { ConfigurationError } from "./errors.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** What programs put in place of ASCII: line breaks, what cannot be seen, and typography. */
const TYPOGRAPHY: readonly (readonly [RegExp, string])[] = [
  [/[\n-\r\x85\u2028\u2029\p{Cf}\p{DI}]/gu, ""],
  [/\p{Zs}/gu, " "],
  [/[\p{Pd}\u2043\u2212\u2500\u30fc\uff70]/gu, "-"],
  [/[\xb4\u2018-\u201b\u2032\u2039\u203a]/g, "'"],
  [/[\p{Pi}\p{Pf}\xb7\u201e\u2022\u2026\u2033\u2036\u3001-\u301f\uff61-\uff65]/gu, '"'],
];
export const MIN_PROTECTION_KEY_LENGTH = 20;
/** What a person hears who has entered something else. */
export const KEY_FAULT = "This is not a license key. Check the key for typing errors.";

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

/** The form in which keys are compared and hashed; `null` if the text cannot be a license key. */
export function readKey(text: string): string | null {
  if (Array.from(text).length > 300) return null;
  let plain = text.replace(/[\uff01-\uff5e]/g, (wide) => wide.normalize("NFKC"));
  for (const [found, meant] of TYPOGRAPHY) plain = plain.replace(found, meant);
  if (/[^\t -~]/.test(plain)) return null;
  const letters = plain.replace(/[\W_]/g, "").toUpperCase();
  const candidate = letters.replace(/[IL]/g, "1").replaceAll("O", "0");
  if (isGeneratedKey(candidate)) return candidate;
  const trimmed = plain.replace(/^[\t "'`<>,;:.]+|[\t "'`<>,;:.]+$/g, "");
  return /^[ -~]{8,128}$/.test(trimmed) ? trimmed : null;
}

/**
 * The same, where a text that cannot be a license key is an error.
 *
 * @throws ConfigurationError The text cannot be a license key.
 */
export function normalForm(text: string): string {
  const key = readKey(text);
  if (key === null) throw new ConfigurationError(KEY_FAULT);
  return key;
}

/** The base64url SHA-256 that identifies the key in a signed verdict. */
export async function keyHash(normal: string): Promise<string> {
  return encodeBase64Url(await sha256(utf8(normal)));
}

/** What tells the files of a license key from those of others: 8 digits of its hash. */
export function keyLabel(hash: string): string {
  return hex(decodeBase64Url(hash) ?? utf8("")).slice(0, 8);
}
