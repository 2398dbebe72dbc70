/**
 * The codes that are typed in place of files: 68 bytes as 109 symbols of Crockford's base32, in 28 groups
 * with a check symbol each, which finds every wrong symbol and every swap of neighbors in its group.
 */

import { type Bytes, hex } from "../core/bytes.js";
import { LicetError } from "../core/errors.js";
import { english } from "../sentences/filledEnglish.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const VERSION = 1;
const NUMBER_BYTES = 3;
const BYTES = 68;
const GROUPS = 28;
/** Symbols of a group before its check symbol; the last group has one. */
const GROUP = 4;
const SYMBOLS = 109;
/** The order of the powers of 2 in GF(32), whose polynomial is x^5 + x^2 + 1. */
const ORDER = 31;

/** A code was mistyped, or answers another request than that of this machine. */
export class OfflineCodeError extends LicetError {
  static override readonly code = "OfflineCode";

  /** @param group The group that was mistyped, 1 to 28; `null` if all are as they were written. */
  constructor(readonly group: number | null) {
    super(english("OfflineCode", { group }));
  }
}

/** What a code contains: a number below 2^24, and what was signed with it. */
export interface OfflineCode {
  readonly number: number;
  readonly signature: Bytes;
}

/**
 * Whether a group of an answer code was typed correctly, to check while the user types.
 *
 * @param index The group, 1 to 28.
 * @param text Its five symbols, of the last group two; case, blanks and dashes do not matter.
 */
export function checkCodeGroup(index: number, text: string): boolean {
  const values = valuesOf(text);
  const isGroup = Number.isInteger(index) && index >= 1 && index <= GROUPS;
  if (!isGroup || values.length !== sizeOf(index)) return false;
  return fits(index, values);
}

/** The letters of a code, in groups with dashes between. */
export function writeCode({ number, signature }: OfflineCode): string {
  const head = [VERSION, number >> 16, (number >> 8) & 255, number & 255];
  let rest = BigInt(`0x${hex(Uint8Array.from([...head, ...signature]))}`) << 1n;
  const values: number[] = [];
  for (let count = 0; count < SYMBOLS; count += 1, rest >>= 5n) values.unshift(Number(rest & 31n));
  const groups = Array.from({ length: GROUPS }, (_, at) => {
    const group = values.slice(at * GROUP, (at + 1) * GROUP);
    return [...group, checkOf(at + 1, group)].map((value) => ALPHABET.charAt(value)).join("");
  });
  return groups.join("-");
}

/**
 * Reads what was typed.
 *
 * @throws OfflineCodeError A group is wrong or missing, or this is another kind of code.
 */
export function readCode(text: string): OfflineCode {
  const values = valuesOf(text);
  let number = 0n;
  for (let index = 1, at = 0; index <= GROUPS; at += sizeOf(index), index += 1) {
    const group = values.slice(at, at + sizeOf(index));
    if (group.length < sizeOf(index) || !fits(index, group)) throw new OfflineCodeError(index);
    for (const value of group.slice(0, -1)) number = (number << 5n) | BigInt(value);
  }
  if (values.length > SYMBOLS + GROUPS) throw new OfflineCodeError(GROUPS);
  const digits = (number >> 1n).toString(16).padStart(BYTES * 2, "0");
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const start = 1 + NUMBER_BYTES;
  if (bytes[0] !== VERSION || (number & 1n) !== 0n) throw new OfflineCodeError(null);
  const [high = 0, middle = 0, low = 0] = bytes.slice(1, start);
  return { number: (high << 16) | (middle << 8) | low, signature: bytes.slice(start) };
}

function sizeOf(index: number): number {
  return (index < GROUPS ? GROUP : 1) + 1;
}

/** The values of the symbols that were typed; -1 for what is none. */
function valuesOf(text: string): number[] {
  const typed = text.replace(/[\s\p{Pd}]/gu, "");
  const meant = typed
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/[IL]/g, "1")
    .replaceAll("O", "0");
  return Array.from(meant, (symbol) => ALPHABET.indexOf(symbol));
}

function fits(index: number, group: readonly number[]): boolean {
  return !group.includes(-1) && checkOf(index, group.slice(0, -1)) === group.at(-1);
}

/** The check symbol that makes the sum of a group, each symbol times a power of 2, its number. */
function checkOf(index: number, group: readonly number[]): number {
  let missing = index;
  for (const [at, value] of group.entries()) missing ^= timesPower(value, at + 1);
  return timesPower(missing, ORDER - group.length - 1);
}

/** A value of GF(32) times a power of 2. */
function timesPower(value: number, power: number): number {
  let product = value;
  for (let count = 0; count < power; count += 1) {
    product <<= 1;
    if (product > ORDER) product ^= 0b100101;
  }
  return product;
}
