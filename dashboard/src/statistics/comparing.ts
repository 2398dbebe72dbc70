import { t } from "@lingui/core/macro";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import type { Rank } from "../ui/charts/Ranking";
import { number } from "../ui/formats";
import { useStatisticsQuery } from "./filters/useFilters";

/** What a figure was in the period of the same length before; undefined while loading. */
export function useComparison(): (name: Schemas["FigureName"]) => number | undefined {
  const { data } = $api.useQuery("get", "/api/statistics/comparison", ...useStatisticsQuery());
  return (name) => data?.figures.find((figure) => figure.name === name)?.previous;
}

/** A ranking of licenses, linked to the tab that shows the details. */
export const ranksOf = (top: Schemas["TopLicense"][] | undefined, tab: string) =>
  top?.map((item): Rank => ({
    key: item.licenseId,
    label: item.licenseName,
    value: item.count,
    to: `/licenses/${item.licenseId}/${tab}`,
    ...(item.seatsTotal !== null && {
      of: t`of ${{ seats: number(item.seatsTotal) }}`,
    }),
  }));
