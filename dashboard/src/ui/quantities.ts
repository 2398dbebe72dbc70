import { plural } from "@lingui/core/macro";
import { number } from "./formats";
import type { MeterKind } from "./models";

/** "365 days". */
export function daysText(count: number): string {
  const days = number(count);
  return plural(count, { one: `${days} day`, other: `${days} days` });
}

/** "12 months". */
function monthsText(count: number): string {
  const months = number(count);
  return plural(count, { one: `${months} month`, other: `${months} months` });
}

/** The length of a term, which has days or months; null without one. */
export function lengthText(days: number | null, months: number | null): string | null {
  if (months !== null) return monthsText(months);
  return days === null ? null : daysText(days);
}

/** "5 seats". */
export function seatsText(count: number): string {
  const seats = number(count);
  return plural(count, { one: `${seats} seat`, other: `${seats} seats` });
}

/** An amount of a balance: "100 credits"; `format` may write its sign. */
export function amountText(amount: number, unit: MeterKind, format = number): string {
  const figure = format(amount);
  return unit === "uses"
    ? plural(amount, { one: `${figure} use`, other: `${figure} uses` })
    : plural(amount, { one: `${figure} credit`, other: `${figure} credits` });
}
