import { t } from "@lingui/core/macro";
import { dayAfter, dayOf } from "../days";
import { region } from "../locale/locale";

const LOCALE = region();
type Part = "day" | "month" | "year";

/** The order in which the user's locale writes a date in figures. */
const ORDER = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "numeric", year: "numeric" })
  .formatToParts(0)
  .map(({ type }) => type)
  .filter((type): type is Part => type === "day" || type === "month" || type === "year");

const monthsIn = (locale: string) =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(locale, { month: "long" })
      .format(new Date(2000, month, 15))
      .toLowerCase(),
  );
const MONTHS = [monthsIn(LOCALE), monthsIn("en")];

/** The number of the month that a word begins, such as "dec"; 0 for other words. */
function monthOf(word: string): number {
  const places = MONTHS.map((names) => names.findIndex((name) => name.startsWith(word)));
  return Math.max(...places) + 1;
}

const UNITS: readonly (readonly [names: string, days: number, months: number])[] = [
  [t({ message: "d day days", comment: "Separate by spaces, as all that follow" }), 1, 0],
  [t`w week weeks`, 7, 0],
  [t`m month months`, 0, 1],
  [t`y year years`, 0, 12],
];

/** The day that lies so many days, weeks, months or years later: "+30 days", "2 weeks", "+1". */
function dayLater(text: string, from: Date): string | null {
  const [, sign = "", count = "", name = ""] = /^([+-]?)\s*(\d{1,4})\s*(\p{L}*)$/u.exec(text) ?? [];
  const unit = UNITS.find(([names]) => names.split(" ").includes(name));
  const [, days, months] = unit ?? [name, name === "" && sign !== "" ? 1 : 0, 0];
  if (count === "" || days + months === 0) return null;
  const times = Number(sign + count);
  return dayAfter({ days: days * times, months: months * times }, from);
}

const NEAR = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

/** The day that has a name: "today", "tomorrow". */
function dayNamed(text: string, now: Date): string | null {
  const distance = [-1, 0, 1, 2].find((days) => NEAR.format(days, "day").toLowerCase() === text);
  return distance === undefined ? null : dayAfter({ days: distance }, now);
}

/** The parts of a date in figures, or with the name of its month. */
function partsOf(text: string): Partial<Record<Part, string>> | null {
  if (!/^[\d\p{L}\s.,/-]+$/u.test(text)) return null;
  const figures = text.match(/\d+/g) ?? [];
  const month = (text.match(/\p{L}{3,}/gu) ?? []).map(monthOf).find((found) => found > 0);
  if (/\p{L}/u.test(text) && month === undefined) return null;
  // The year is where it is written whole, or where the locale has it; with dots the day is first.
  const whole = figures.findIndex((figure) => figure.length === 4);
  const order = (text.includes(".") ? ["day", "month", "year"] : ORDER) as readonly Part[];
  const rest = order.filter((part) => part !== "year" && (part === "day" || month === undefined));
  const length = rest.length;
  if (figures.length < length || figures.length > length + 1) return null;
  const at = whole >= 0 ? whole : month === undefined ? order.indexOf("year") : length;
  const year = figures.length > length ? figures.splice(at, 1)[0] : undefined;
  // Year first, then month and day, whatever the locale.
  const isYearFirst = whole === 0 && month === undefined;
  const names = isYearFirst ? (["month", "day"] as const) : rest;
  const found = Object.fromEntries(names.map((part, place) => [part, figures[place] ?? ""]));
  return { ...found, ...(month && { month: String(month) }), ...(year && { year }) };
}

/** A day that there is, or null. */
function dayIn(year: number, month: number, day: number): string | null {
  const found = new Date(2000, 0, 1);
  found.setFullYear(year, month - 1, day);
  return found.getMonth() === month - 1 && found.getDate() === day ? dayOf(found) : null;
}

function dayWritten(text: string, now: Date, earliest: string): string | null {
  const { day = "", month = "", year } = partsOf(text) ?? {};
  if (day === "" || month === "" || day.length > 2 || month.length > 2) return null;
  if (year !== undefined)
    return year.length === 2 || year.length === 4
      ? dayIn(Number(year.padStart(4, "20")), Number(month), Number(day))
      : null;
  const found = dayIn(now.getFullYear(), Number(month), Number(day));
  return found !== null && found < earliest
    ? dayIn(now.getFullYear() + 1, Number(month), Number(day))
    : found;
}

/**
 * Reads a day as people write it: as their locale does, as 2026-12-31, or as a distance from an
 * instant; null for what is none. Without a year it is of this one, or of the next if the day would
 * be before `earliest`. Takes and returns days as `YYYY-MM-DD`.
 */
export function readDay(text: string, earliest = "", from = new Date()): string | null {
  const [typed, now] = [text.trim().toLowerCase(), new Date()];
  const found = dayNamed(typed, now) ?? dayLater(typed, from) ?? dayWritten(typed, now, earliest);
  return found !== null && isDay(found) ? found : null;
}

const TIME = /[t,\s]+(\d{1,2}):(\d\d)(?::\d\d)?\s*(?:([ap])\.?m\.?)?$/i;

/** Reads a day with a time of UTC, as `YYYY-MM-DDTHH:MM`; midnight without a time. */
export function readMoment(text: string, earliest = "", from = new Date()): string | null {
  const typed = text.trim().replace(/\s*utc$/i, "");
  const [written = "", hours = "0", minutes = "00", half = ""] = TIME.exec(typed) ?? [];
  const day = readDay(typed.slice(0, typed.length - written.length), earliest.slice(0, 10), from);
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hours);
  if (day === null || hour > 23 || Number(minutes) > 59) return null;
  return `${day}T${String(hour).padStart(2, "0")}:${minutes}`;
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
/** Whether a text is a day with a time, `YYYY-MM-DDTHH:MM`. */
export const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text);
