import type { License } from "../../../api/types";
import { number } from "../../../ui/formats";
import { unitOf } from "../facts";

/** Amounts have six decimals at most; uses are whole. */
const MILLION = 1_000_000;

/** The amount that was typed; null for what is none. */
export function amountOf(text: string): number | null {
  const amount = Number(text);
  return text.trim() === "" || !Number.isFinite(amount) ? null : amount;
}

/** The balance after a movement, without the noise of binary fractions. */
export const moved = (balance: number, amount: number): number =>
  Math.round((balance + amount) * MILLION) / MILLION;

export const stepOf = (license: License): number | "any" =>
  license.meterMode === "Count" ? 1 : "any";

export const amountText = (amount: number, license: License): string =>
  `${number(amount)} ${unitOf(license)}`;
