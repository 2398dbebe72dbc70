import { dayOf } from "../models";

/** The day some months after the end of a term, or after today where it has ended or has none. */
export function later(end: string | null, months: number, now = new Date()): string {
  const from = new Date(Math.max(now.getTime(), end === null ? 0 : new Date(end).getTime()));
  const day = new Date(from.getFullYear(), from.getMonth() + months, from.getDate());
  // The 31st of a shorter month is its last day.
  if (day.getDate() !== from.getDate()) day.setDate(0);
  return dayOf(day);
}
