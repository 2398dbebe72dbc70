import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "../../api/types";
import { useUrlParams } from "../../ui/useUrlParams";
import { useInstitution } from "../../ui/useInstitution";
import { DEFAULT_LENGTH, faultOf, lastDays, LENGTHS, type Period } from "./period";

type Mode = Schemas["MeterMode"];

export interface Filters extends Period {
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
