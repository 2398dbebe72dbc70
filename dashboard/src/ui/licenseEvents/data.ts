import { t } from "@lingui/core/macro";
import { date } from "../formats";

export type Data = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const figureOf = (value: unknown): number => (typeof value === "number" ? value : 0);

export const deviceOf = (data: Data): string => textOf(data["deviceName"]) ?? t`An unnamed device`;

/** The expiration date; null for a license without one. */
export function endOf(data: Data): string | null {
  const end = textOf(data["expirationDate"]);
  return end === null ? null : date(end);
}
