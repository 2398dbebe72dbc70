/** The periods that are chosen by their length, in days. */
export const LENGTHS = [7, 30, 90, 365] as const;
export const DEFAULT_LENGTH = 30;
/** The server looks at no more at once. */
const LONGEST_DAYS = 732;
const EARLIEST = "2000-01-01";

const DAY_MS = 86_400_000;

/** Both days are in it; they are UTC days, as the server counts. */
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

/** Why a period that somebody chose day by day cannot be asked for; null where it can. */
export function faultOf({ from, to }: Period): string | null {
  if (!from || !to) return "Choose the first and the last day.";
  if (from < EARLIEST) return "Choose a first day from the year 2000 on.";
  if (from > to) return "The first day is after the last.";
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!Number.isFinite(days)) return "Choose days that there are.";
  return days > LONGEST_DAYS ? "Choose two years at most." : null;
}
