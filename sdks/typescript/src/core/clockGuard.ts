/**
 * Distinguishes a clock that was set back from one in the wrong time zone.
 *
 * The bound is the latest time known to have passed, signed by the server or read from this machine's
 * clock. Terms are evaluated at the later of the clock and the bound, so setting the clock back gains
 * nothing, and a clock in the wrong time zone does no harm.
 */

import { formatDuration, HOUR, MINUTE, type Reading, SECOND } from "./time.js";

export const TOLERANCE = 5 * MINUTE;
const MAX_TIME_ZONE_OFFSET = 14 * HOUR;
const QUARTER_HOUR = 15 * MINUTE;
const QUARTER_HOUR_TOLERANCE = 90 * SECOND;

export interface ClockFinding {
  readonly state: "ok" | "wrongTimeZone" | "moved";
  /** The time at which terms are evaluated; never before the bound. */
  readonly judgedAt: number;
  /** How far the clock is behind the bound. */
  readonly behind: number;
}

/**
 * Compares the clock with the latest time known to have passed.
 *
 * @param boundOffset The machine's UTC offset when it read the bound from its clock, if it did.
 */
export function assessClock(
  reading: Reading,
  bound: number,
  boundOffset: number | null,
): ClockFinding {
  const behind = Math.max(bound - reading.now, 0);
  const judgedAt = Math.max(reading.now, bound);
  if (behind <= TOLERANCE) return { state: "ok", judgedAt, behind };
  const zone = looksLikeTimeZone(behind, reading.utcOffset, boundOffset);
  return { state: zone ? "wrongTimeZone" : "moved", judgedAt, behind };
}

/**
 * Whether a difference between two clocks can be explained by a wrong time zone.
 *
 * Either the difference is a multiple of 15 minutes up to 14 hours. Or real time has passed since
 * the bound was recorded, so the difference is not a round number: then it must not be larger than
 * the change of the machine's UTC offset (the time zone was corrected) or than the offset itself
 * (two operating systems on one machine disagree about whether the hardware clock runs in local
 * time).
 */
function looksLikeTimeZone(
  difference: number,
  currentOffset: number,
  boundOffset: number | null,
): boolean {
  if (isQuarterHours(difference)) return true;
  const changed = boundOffset === null ? 0 : Math.abs(currentOffset - boundOffset);
  const explained = Math.max(changed, Math.abs(currentOffset));
  return explained > 0 && difference <= explained + TOLERANCE;
}

/** Whether a difference is a multiple of 15 minutes within the range of time zones. */
export function isQuarterHours(difference: number): boolean {
  const size = Math.abs(difference);
  if (size < QUARTER_HOUR - QUARTER_HOUR_TOLERANCE) return false;
  if (size > MAX_TIME_ZONE_OFFSET + QUARTER_HOUR_TOLERANCE) return false;
  const remainder = size % QUARTER_HOUR;
  return Math.min(remainder, QUARTER_HOUR - remainder) <= QUARTER_HOUR_TOLERANCE;
}

/** The warning about a clock that is wrong by this much, without harm to the license. */
export function clockWarning(behind: number): string {
  return (
    `This computer's clock is ${formatDuration(behind)} ${behind < 0 ? "ahead" : "behind"}` +
    (isQuarterHours(behind)
      ? ", probably because the time zone or daylight saving time is set incorrectly. "
      : ". ") +
    "Correct it; the license is not affected."
  );
}
