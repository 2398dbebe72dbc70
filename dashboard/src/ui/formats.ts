const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 });
const SIGNED = new Intl.NumberFormat(undefined, {
  maximumFractionDigits: 6,
  signDisplay: "exceptZero",
});
const SHORT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

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

/** A day, in the reader's locale and time zone. */
export const date = (moment: Moment): string => DATE.format(of(moment));
/** A day and the time, in the reader's locale and time zone. */
export const dateTime = (moment: Moment): string => MOMENT.format(of(moment));
export const number = (value: number): string => NUMBER.format(value);
/** With its sign, as movements of a balance are written. */
export const signed = (value: number): string => SIGNED.format(value);
/** Rounded for a chart's axis or a key figure: 1.2K. */
export const short = (value: number): string => SHORT.format(value);

/** "3 minutes ago", "in 2 days". */
export function relative(moment: Moment, now: number = Date.now()): string {
  const seconds = (of(moment).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return AGO.format(Math.trunc(seconds / size), unit);
}

/** 1.4 MB, in powers of 1000. */
export function bytes(size: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3));
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(size / 1000 ** power);
}
