import { region } from "./locale/locale";

const LOCALE = region();
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });
const DAY = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" });
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: "short", year: "numeric" });
const WHOLE_PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent" });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const UTC_MOMENT = new Intl.DateTimeFormat(LOCALE, {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 });
const SIGNED = new Intl.NumberFormat(LOCALE, {
  maximumFractionDigits: 6,
  signDisplay: "exceptZero",
});
const SHORT = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const FAR = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });
const NEAR = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

const LIST = new Intl.ListFormat(LOCALE);
const LANGUAGES = new Intl.DisplayNames(LOCALE, { type: "language" });

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

type Moment = string | Date;
const of = (moment: Moment) => new Date(moment);

/** A date in the user's locale and time zone. */
export const date = (moment: Moment): string => DATE.format(of(moment));
/** A UTC day such as 2030-01-31 in the user's locale, whatever their time zone. */
export const utcDay = (day: string): string => date(`${day}T00:00:00`);
/** A UTC day without the year, for chart axes. */
export const shortDay = (day: string): string => DAY.format(of(`${day}T00:00:00`));
/** Month and year of a UTC day. */
export const utcMonth = (day: string): string => MONTH.format(of(`${day}T00:00:00`));
/** Date and time in the user's locale and time zone. */
export const dateTime = (moment: Moment): string => MOMENT.format(of(moment));
/** Date and time of UTC, in the user's locale. */
export const utcTime = (moment: Moment): string => `${UTC_MOMENT.format(of(moment))} UTC`;
export const number = (value: number): string => NUMBER.format(value);
/** A fraction as a percentage: 0.25 is 25%. */
export const percent = (part: number): string => PERCENT.format(part);
/** The same without decimals, for figures that are read at a glance. */
export const wholePercent = (part: number): string => WHOLE_PERCENT.format(part);
/** What the user calls the language of a tag: de is German. What is no tag stays as it is. */
export function languageName(tag: string): string {
  try {
    return LANGUAGES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
/** An amount in the unit of its currency: €18.00; with as many decimals as that has, or fewer. */
export const money = (amount: number, currency: string, decimals?: number): string =>
  new Intl.NumberFormat(LOCALE, {
    style: "currency",
    currency,
    ...(decimals !== undefined && { maximumFractionDigits: decimals }),
  }).format(amount);
/** A number with its sign, for changes of a balance; the minus is as wide as the plus. */
export const signed = (value: number): string => SIGNED.format(value).replace("-", "−");
/** A number in compact notation: 1.2K. */
export const short = (value: number): string => SHORT.format(value);

/** "Licenses, Balances and Releases". */
export const list = (items: readonly string[]): string => LIST.format(items);

/** How many midnights of the user's time zone lie between two moments. */
export const midnights = (from: Date, to: Date): number =>
  Math.round(
    (new Date(to).setHours(0, 0, 0, 0) - new Date(from).setHours(0, 0, 0, 0)) / 86_400_000,
  );

/** An end is near in its last two weeks, everywhere and whatever ends. */
const NEAR_DAYS = 14;

/** Whether an end is near, by the days that are said to be left. */
export function isNear(end: string, now: Date = new Date()): boolean {
  const last = new Date(end);
  return last > now && midnights(now, last) <= NEAR_DAYS;
}

/** "3 minutes ago", "tomorrow", "in 1 month"; days as the calendar counts them. */
export function relative(moment: Moment, now: number = Date.now()): string {
  const seconds = (of(moment).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  if (unit === "day") return NEAR.format(midnights(new Date(now), of(moment)), unit);
  // Otherwise 31 days from now would read "next month".
  const words = unit === "year" || unit === "month" ? FAR : NEAR;
  return words.format(Math.round(seconds / size), unit);
}

/** How long it has lasted, in its largest unit: "2 hr". */
export function lasting(since: Moment, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - of(since).getTime()) / 1000);
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay: "short" }).format(
    Math.floor(seconds / size),
  );
}

/** A file size in powers of 1000: 1.4 MB. */
export function bytes(size: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3));
  return new Intl.NumberFormat(LOCALE, {
    style: "unit",
    unit: units[power] ?? "byte",
    // "72 byte" is no English.
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(size / 1000 ** power);
}
