import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import type { Rank } from "../ui/charts/Ranking";
import { number } from "../ui/formats";

/** A ranking of licenses, linked to the tab that shows the details. */
export const ranksOf = (top: Schemas["TopLicense"][] | undefined, tab: string) =>
  top?.map((item): Rank => ({
    key: item.licenseId,
    label: item.licenseName,
    value: item.count,
    to: `/licenses/${item.licenseId}/${tab}`,
    ...(item.seatsTotal !== null && {
      of: item.seatsTotal,
      note: t`of ${{ seats: number(item.seatsTotal) }}`,
    }),
  }));
