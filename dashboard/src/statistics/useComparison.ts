import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { useStatisticsQuery } from "./filters/useFilters";

/** What a figure was in the period of the same length before; undefined while loading. */
export function useComparison(): (name: Schemas["FigureName"]) => number | undefined {
  const { data } = $api.useQuery("get", "/api/statistics/comparison", ...useStatisticsQuery());
  return (name) => data?.figures.find((figure) => figure.name === name)?.previous;
}
