/**
 * The journal of reserved credits: a chain of lines, one for each charge.
 *
 * Each line has the hash of the one before it, and the first that of the lease's ID, so no line can be
 * changed, left out or added in between. The lines are sent to the server as they are written.
 */

import { createHash } from "node:crypto";

import { parseJson } from "../core/json.js";
import { plainAmount, readMicros } from "./micros.js";

export const MAX_LINE_BYTES = 2048;

/** A charge that the journal has. */
export interface Charge {
  /** The number of its line, from 1. */
  readonly n: number;
  readonly feature: string;
  readonly quantity: number;
  /** In millionths, as `spent`. */
  readonly cost: bigint;
  readonly key: string;
  /** The sum of all costs up to this one. */
  readonly spent: bigint;
}

/** What a receipt says of a journal. */
export interface Extent {
  readonly used: string;
  readonly lines: number;
  readonly head: string;
}

export class Journal {
  #head: string;
  #lines = 0;
  #spent = 0n;
  readonly #charges = new Map<string, Charge>();

  constructor(readonly leaseId: string) {
    this.#head = hashOf(leaseId);
  }

  get lines(): number {
    return this.#lines;
  }

  /** The sum of all costs, in millionths. */
  get spent(): bigint {
    return this.#spent;
  }

  get extent(): Extent {
    return { used: plainAmount(this.#spent), lines: this.#lines, head: this.#head };
  }

  /** Whether a line is the last one; the lease's ID if there are none. Then all lines are the same. */
  endsWith(line: string): boolean {
    return hashOf(line) === this.#head;
  }

  /** The first charge with an idempotency key. */
  find(key: string): Charge | undefined {
    return this.#charges.get(key);
  }

  /** The text of the next line. */
  next(feature: string, quantity: number, cost: bigint, at: number, key: string): string {
    const prev = this.#head;
    const n = this.#lines + 1;
    return JSON.stringify({ n, feature, quantity, cost: plainAmount(cost), at, key, prev });
  }

  /** Whether a line is the next one. */
  precedes(line: string): boolean {
    return this.#read(line) !== null;
  }

  /** Takes the next line; false if it is not that. */
  take(line: string): boolean {
    const charge = this.#read(line);
    if (charge === null) return false;
    this.#lines = charge.n;
    this.#spent = charge.spent;
    this.#head = hashOf(line);
    if (!this.#charges.has(charge.key)) this.#charges.set(charge.key, charge);
    return true;
  }

  #read(line: string): Charge | null {
    const { n, feature, quantity, cost: amount, at, key, prev } = parseJson(line) ?? {};
    const cost = readMicros(amount);
    const fits =
      n === this.#lines + 1 &&
      prev === this.#head &&
      cost !== null &&
      typeof feature === "string" &&
      typeof key === "string" &&
      isCount(quantity) &&
      Number.isSafeInteger(at);
    return fits ? { n, feature, quantity, cost, key, spent: this.#spent + cost } : null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Lines that one request reports, and the journal up to the last of them. */
export interface Part {
  readonly lines: readonly string[];
  readonly extent: Extent;
}

/**
 * The lines after the first `reported` ones in parts of at most `size`; one part without lines if there
 * are none.
 */
export function partsOf(
  leaseId: string,
  lines: readonly string[],
  reported: number,
  size: number,
): Part[] {
  const journal = new Journal(leaseId);
  for (const line of lines.slice(0, reported)) journal.take(line);
  const parts: Part[] = [];
  for (let from = reported; from < lines.length || parts.length === 0; from += size) {
    const part = lines.slice(from, from + size);
    for (const line of part) journal.take(line);
    parts.push({ lines: part, extent: journal.extent });
  }
  return parts;
}
