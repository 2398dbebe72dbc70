/** Terms end with a day of the reader's time zone. */

const two = (part: number) => String(part).padStart(2, "0");

/** The day of a moment as a date field writes it: 2027-03-31. */
export function dayOf(moment: string | Date): string {
  const day = new Date(moment);
  return `${String(day.getFullYear())}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The last second of a day, as the wire writes it; null for what is no day. */
export function endOfDay(day: string): string | null {
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Some months after the end of a term, or after today where it has ended or has none. */
export function later(end: string | null, months: number, now = new Date()): string {
  const from = new Date(Math.max(now.getTime(), end === null ? 0 : new Date(end).getTime()));
  const day = new Date(from.getFullYear(), from.getMonth() + months, from.getDate());
  // The 31st of a shorter month is its last day.
  if (day.getDate() !== from.getDate()) day.setDate(0);
  return dayOf(day);
}
