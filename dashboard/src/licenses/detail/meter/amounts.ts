import type { License } from "../../../api/types";
import { amountText as textOf } from "../../../ui/quantities";
import { meterOf } from "../traits";

/** Amounts have at most six decimals; uses are whole numbers. */
const MILLION = 1_000_000;

/** Parses a typed amount; null if it is not a number. */
export function amountOf(text: string): number | null {
  const amount = Number(text);
  return text.trim() === "" || !Number.isFinite(amount) ? null : amount;
}

/** The balance after a change, rounded to avoid floating-point noise. */
export const addToBalance = (balance: number, amount: number): number =>
  Math.round((balance + amount) * MILLION) / MILLION;

export const amountText = (amount: number, license: License): string =>
  textOf(amount, meterOf(license));
