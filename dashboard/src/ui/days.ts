import { t } from "@lingui/core/macro";

/**
 * The instant of the last second of a day, `YYYY-MM-DD`, in the user's time zone; null for an empty
 * or invalid day.
 */
export function endOfDay(day: string): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const end = new Date(2000, 0, 1, 23, 59, 59);
  // Not in the constructor: it takes a year below 100, half-typed, for one of the 20th century.
  end.setFullYear(year, month - 1, date);
  return end.toISOString();
}

/** The instant at which a day, or one after it, begins in the user's time zone; undefined for no day. */
export function midnight(day: string | undefined, after = 0): string | undefined {
  if (!day) return undefined;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

/** A day as the server takes it, which ends in the institution's time zone; null for no day. */
export const dayOrNull = (day: string): string | null => (endOfDay(day) === null ? null : day);

/** The day of an instant in the user's time zone, `YYYY-MM-DD`, for a date field. */
export function dayOf(instant: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const year = String(instant.getFullYear()).padStart(4, "0");
  return `${year}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}

/** A number of days and months. */
export interface Distance {
  days?: number;
  months?: number;
}

/**
 * The day a number of days and months from today; the 31st becomes the last day of a shorter month.
 */
export function dayAfter({ days = 0, months = 0 }: Distance, today = new Date()): string {
  const target = new Date(today.getFullYear(), today.getMonth() + months, 1);
  const lastDay = new Date(target.getFullYear(), target.getMonth() + 1, 0).getDate();
  target.setDate(Math.min(today.getDate(), lastDay) + days);
  return dayOf(target);
}

/**
 * What an extension counts from, as the server does it: the end, also in the grace, in which the
 * license was valid since then; null, which is today, once the license has expired or never ends.
 */
export const termFrom = (end: string | null, isInGrace: boolean): string | null =>
  end !== null && (isInGrace || new Date(end) > new Date()) ? end : null;

/** The day some time after an instant, or after today without one: how every term is counted. */
export const dayFrom = (from: string | null, distance: Distance): string =>
  dayAfter(distance, from === null ? new Date() : new Date(from));

/** What is wrong with a day before today. */
export const faultOfPastDay = (day: string): string | undefined =>
  day !== "" && day < dayOf(new Date()) ? t`Choose today or a later day.` : undefined;
