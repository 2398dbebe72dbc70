import { dayOf } from "../days";

/** The day some months after the expiration date, or after today if that is past or missing. */
export function addMonths(end: string | null, months: number, now = new Date()): string {
  const from = new Date(Math.max(now.getTime(), end === null ? 0 : new Date(end).getTime()));
  const day = new Date(from.getFullYear(), from.getMonth() + months, from.getDate());
  // In a shorter month, the 31st becomes the last day.
  if (day.getDate() !== from.getDate()) day.setDate(0);
  return dayOf(day);
}
