import type { LicenseType } from "../api/types";

/** What counts against the seats of a model. */
export type SeatKind = "sessions" | "devices";
/** What the balance of a metered model is made of. */
export type MeterKind = "credits" | "uses";

/** A license model in words, and which terms it takes. The server has the last word. */
export interface LicenseModel {
  /** What a license of the model lets a customer do. */
  sentence: string;
  /** When to choose it. */
  choose: string;
  /** Whether it has to end. */
  endRequired: boolean;
  seats: SeatKind | null;
  meter: MeterKind | null;
  /** Whether license.bin alone may be enough. */
  offline: boolean;
  binding: boolean;
  credentials: boolean;
  receiverRequired: boolean;
}

const PLAIN = {
  endRequired: false,
  seats: null,
  meter: null,
  offline: true,
  binding: false,
  credentials: false,
  receiverRequired: true,
} as const;

export const LICENSE_MODELS: Record<LicenseType, LicenseModel> = {
  Perpetual: {
    ...PLAIN,
    credentials: true,
    receiverRequired: false,
    sentence: "Bought once and used for good, on any number of machines.",
    choose: "For a one-time purchase.",
  },
  Trial: {
    ...PLAIN,
    endRequired: true,
    sentence: "Runs until a day and then stops; it can be extended, or turned into a paid license.",
    choose: "For those who want to look before they buy.",
  },
  Subscription: {
    ...PLAIN,
    endRequired: true,
    sentence: "Runs for a paid term; each renewal moves its end.",
    choose: "For customers who pay by the month or the year.",
  },
  Floating: {
    ...PLAIN,
    offline: false,
    seats: "sessions",
    sentence: "Anyone may start the application, as long as no more than so many run at once.",
    choose: "For teams that share fewer seats than they have people.",
  },
  Concurrent: {
    ...PLAIN,
    seats: "devices",
    sentence: "So many devices hold a seat each, whether the application runs there or not.",
    choose: "For a fixed number of workplaces.",
  },
  NodeLocked: {
    ...PLAIN,
    binding: true,
    sentence: "Belongs to one machine; every other machine is refused.",
    choose: "For a server, an instrument or one person's computer.",
  },
  MeteredToken: {
    ...PLAIN,
    offline: false,
    meter: "credits",
    sentence: "A wallet of credits that all devices share; each feature has its price in credits.",
    choose: "For features that differ in worth.",
  },
  MeteredCount: {
    ...PLAIN,
    offline: false,
    meter: "uses",
    sentence: "A counter that all devices share; every use takes one, whatever the feature.",
    choose: "For a number of runs, documents or calls.",
  },
};

/**
 * The last second of a day that was chosen as `YYYY-MM-DD`, in the reader's time zone, as the
 * instant that the server keeps; null for no day.
 */
export function endOfDay(day: string): string | null {
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return null;
  const end = new Date(2000, 0, 1, 23, 59, 59);
  // Not in the constructor: it takes a year below 100, half-typed, for one of the 20th century.
  end.setFullYear(year, month - 1, date);
  return end.toISOString();
}

/** The day `YYYY-MM-DD` of an instant, in the reader's time zone: what a date field shows. */
export function dayOf(instant: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const year = String(instant.getFullYear()).padStart(4, "0");
  return `${year}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}

/** The day so many days and months from today on; the end of a month stays within it. */
export function dayAfter({ days = 0, months = 0 }: { days?: number; months?: number }): string {
  const today = new Date();
  const target = new Date(today.getFullYear(), today.getMonth() + months, 1);
  const lastDay = new Date(target.getFullYear(), target.getMonth() + 1, 0).getDate();
  target.setDate(Math.min(today.getDate(), lastDay) + days);
  return dayOf(target);
}
