import { t } from "@lingui/core/macro";
import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "../../api/types";
import { todayUtc } from "../../ui/charts/days";
import { useInstitution } from "../../ui/useInstitution";
import { useUrlParams } from "../../ui/useUrlParams";

/** Preset lengths of the period, in days. */
export const LENGTHS = [7, 30, 90, 365] as const;
/** The same on all tabs. Sales are by month, and one month is no course. */
const DEFAULT_LENGTH = 90;
/** The server's maximum. */
const LONGEST_DAYS = 732;
const EARLIEST = "2000-01-01";

const DAY_MS = 86_400_000;

/** A period of UTC days, both inclusive. */
interface Period {
  from: string;
  to: string;
}

function lastDays(days: number): Period {
  const to = todayUtc();
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from, to };
}

/** Why a custom period is invalid; null if it is valid. */
function faultOf({ from, to }: Period): string | null {
  if (!from || !to) return t`Choose a start and an end date.`;
  if (from < EARLIEST) return t`The start date must be in 2000 or later.`;
  if (from > to) return t`The start date is after the end date.`;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!Number.isFinite(days)) return t`Choose valid dates.`;
  return days > LONGEST_DAYS ? t`The period can be at most two years.` : null;
}

type Mode = Schemas["MeterMode"];

interface Filters extends Period {
  /** Preset length in days; null for a custom period. */
  length: number | null;
  productId: string | null;
  fault: string | null;
}

/** The filters of the statistics, which are stored in the URL. */
export function useFilters() {
  const { params, change } = useUrlParams();
  const isCustom = params.has("from") || params.has("to");
  const asked = Number(params.get("days"));
  const length = isCustom ? null : (LENGTHS.find((item) => item === asked) ?? DEFAULT_LENGTH);
  const period: Period =
    length === null
      ? { from: params.get("from") ?? "", to: params.get("to") ?? "" }
      : lastDays(length);
  const filters: Filters = {
    ...period,
    length,
    productId: params.get("productId"),
    fault: faultOf(period),
  };
  const asMode = params.get("mode");
  const mode: Mode | null = asMode === "Token" || asMode === "Count" ? asMode : null;
  return {
    filters,
    /** The selected meter mode, if any. */
    mode,
    search: params.size > 0 ? `?${params.toString()}` : "",
    change,
    chooseLength: (days: number) => change({ days: String(days), from: null, to: null }),
    /** Use `replace` while the user types a date, so that not every digit adds a history entry. */
    chooseDays: (days: Period, replace: boolean) => change({ days: null, ...days }, replace),
  };
}

/** Query arguments for statistics: the filters as the API expects them, refetched every minute. */
export function useStatisticsQuery() {
  const { institutionId } = useInstitution();
  const { filters } = useFilters();
  const { from, to, productId, fault } = filters;
  return [
    { params: { query: { institutionId: institutionId ?? null, productId, from, to } } },
    {
      enabled: institutionId !== undefined && fault === null,
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
    },
  ] as const;
}

/** The same for statistics of the present, which have no period. */
export function useCurrentQuery() {
  const [{ params }, options] = useStatisticsQuery();
  const { institutionId, productId } = params.query;
  return [{ params: { query: { institutionId, productId } } }, options] as const;
}
