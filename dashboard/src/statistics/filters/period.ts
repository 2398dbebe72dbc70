import { t } from "@lingui/core/macro";

/** Preset lengths of the period, in days. */
export const LENGTHS = [7, 30, 90, 365] as const;
export const DEFAULT_LENGTH = 30;
/** The server's maximum. */
const LONGEST_DAYS = 732;
const EARLIEST = "2000-01-01";

const DAY_MS = 86_400_000;

/** A period of UTC days, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

export const todayUtc = (): string => new Date().toISOString().slice(0, 10);

export function lastDays(days: number): Period {
  const to = todayUtc();
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from, to };
}

/** Why a custom period is invalid; null if it is valid. */
export function faultOf({ from, to }: Period): string | null {
  if (!from || !to) return t`Choose a start and an end date.`;
  if (from < EARLIEST) return t`The start date must be in 2000 or later.`;
  if (from > to) return t`The start date is after the end date.`;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!Number.isFinite(days)) return t`Choose valid dates.`;
  return days > LONGEST_DAYS ? t`The period can be at most two years.` : null;
}
