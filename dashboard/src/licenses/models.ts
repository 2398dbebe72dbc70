import type { LicenseType } from "../api/types";

/** What takes the seats of a model. */
export type SeatKind = "sessions" | "devices";
/** Unit of the balance of a metered model. */
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
 * The instant of the last second of a day, `YYYY-MM-DD`, in the user's time zone; null for an empty
 * or invalid day.
 */
export function endOfDay(day: string): string | null {
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return null;
  const end = new Date(2000, 0, 1, 23, 59, 59);
  // Not in the constructor: it takes a year below 100, half-typed, for one of the 20th century.
  end.setFullYear(year, month - 1, date);
  return end.toISOString();
}

/** The day of an instant in the user's time zone, `YYYY-MM-DD`, for a date field. */
export function dayOf(instant: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const year = String(instant.getFullYear()).padStart(4, "0");
  return `${year}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}

/**
 * The day a number of days and months from today; the 31st becomes the last day of a shorter month.
 */
export function dayAfter({ days = 0, months = 0 }: { days?: number; months?: number }): string {
  const today = new Date();
  const target = new Date(today.getFullYear(), today.getMonth() + months, 1);
  const lastDay = new Date(target.getFullYear(), target.getMonth() + 1, 0).getDate();
  target.setDate(Math.min(today.getDate(), lastDay) + days);
  return dayOf(target);
}
