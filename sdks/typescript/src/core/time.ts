/** Time. Inside, a moment is milliseconds since 1970 and a duration is milliseconds. */

import { ConfigurationError } from "./errors.js";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Replaces the system clock. */
export type Clock = () => Date;

export interface Reading {
  readonly now: number;
  /** The machine's offset from UTC. */
  readonly utcOffset: number;
}

export function readClock(clock: Clock): Reading {
  const date = clock();
  const now = date.getTime();
  if (Number.isNaN(now)) throw new ConfigurationError("The clock option returned an invalid Date.");
  return { now, utcOffset: -date.getTimezoneOffset() * MINUTE };
}

/** Seconds on a monotonic clock. */
export function monotonic(): number {
  return performance.now() / SECOND;
}

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))$/;
// The first and the last moment of the years 1 to 9999, and the last second as a Unix time.
const FIRST = -62_135_596_800_000;
const LAST = 253_402_300_799_999;
const LAST_EPOCH = 253_402_300_799;

/**
 * Parses an RFC 3339 time with a UTC offset, in the form that the server writes; `null` if it is
 * none, or if its year in UTC is not one from 1 to 9999.
 */
export function parseTime(value: unknown): number | null {
  const parts = typeof value === "string" ? RFC3339.exec(value) : null;
  if (parts === null) return null;
  const [text, year, month, day] = parts;
  // Date takes the 30th of February for the first or second day of March.
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (date.getUTCDate() !== Number(day)) return null;
  const moment = Date.parse(text);
  return moment >= FIRST && moment <= LAST ? moment : null;
}

/** Reads a Unix time from 1970 to 9999; `null` for anything else. */
export function fromEpoch(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= LAST_EPOCH ? value * SECOND : null;
}

export function asDate(moment: number | null): Date | null {
  return moment === null ? null : new Date(moment);
}

/** Formats a moment for a message. */
export function formatTime(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Formats a duration for a message, to the minute. */
export function formatDuration(duration: number): string {
  const total = Math.round(Math.abs(duration) / MINUTE);
  const days = Math.floor(total / 1440);
  const hours = Math.floor((total % 1440) / 60);
  const minutes = total % 60;
  const parts = [];
  if (days) parts.push(`${days} d`);
  if (hours) parts.push(`${hours} h`);
  if (minutes || parts.length === 0) parts.push(`${minutes} min`);
  return parts.join(" ");
}

/** A timer that keeps no process alive. Aborting the signal ends the wait early. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(seconds * SECOND, 0x7fffffff));
    signal?.addEventListener("abort", done);
    if (signal !== undefined) unref(timer);
  });
}

/** Waits for work that has begun, but no longer than this. */
export async function waitAtMost(seconds: number, work: Promise<unknown>): Promise<void> {
  const given = new AbortController();
  await Promise.race([work, sleep(seconds, given.signal)]);
  given.abort();
}

/** Lets a process of Node end although this timer is set. */
export function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
