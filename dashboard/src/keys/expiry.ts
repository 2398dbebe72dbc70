import { t } from "@lingui/core/macro";

/** A number of days from now, a chosen day, or never. */
export type Expiry = "30" | "90" | "365" | "day" | "never";

export const EXPIRIES: Record<Expiry, string> = {
  "30": t`In 30 days`,
  "90": t`In 90 days`,
  "365": t`In 1 year`,
  day: t`On a custom date`,
  never: t`Never`,
};

const DAY_MS = 86_400_000;

/** The instant at which a key expires; a chosen day counts in full. */
export function momentOf(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === "never") return null;
  if (expiry !== "day") return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
