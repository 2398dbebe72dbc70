import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { DaySection } from "../ui/charts/DaySection";
import type { Series } from "../ui/charts/days";
import { number, utcDay } from "../ui/formats";
import { useStatisticsQuery } from "./filters/useFilters";
import { RankingSection } from "./RankingSection";
import { ChartPair } from "./TabContent";

interface ConcurrencySectionProps {
  /** How many sessions are live now, by license. */
  live: ReadonlyMap<string, number>;
  /** Beside the fullest licenses. */
  children: ReactNode;
}

const noteOf = (live: number | undefined) =>
  live === undefined ? {} : { note: plural({ live }, { other: "# live now" }) };

/** How many seats of Floating licenses were in use at once, against those that there are. */
export function ConcurrencySection({ live, children }: ConcurrencySectionProps) {
  const { data } = $api.useQuery("get", "/api/statistics/concurrency", ...useStatisticsQuery());
  const peak: Series<Schemas["ConcurrencyDay"]>[] = [
    { label: t`Sessions at once`, value: (day) => day.peak, total: data?.peak ?? 0, isPeak: true },
  ];
  return (
    <>
      <DaySection
        title={t`Peak concurrency`}
        subtitle={
          data &&
          plural(
            { seats: data.seats },
            {
              other:
                "The most sessions at once, of # seats that active Floating licenses have now.",
            },
          )
        }
        days={data?.dailyTrend}
        series={peak}
        empty={t`No sessions of Floating licenses in this period.`}
        name="peak-concurrency-by-day"
      />
      <ChartPair>
        {children}
        <RankingSection
          title={t`Fullest licenses`}
          subtitle={t`Licenses whose seats were most in use at once.`}
          heads={[t`License`, t`Sessions at once`, t`Seats`]}
          ranks={data?.topLicenses.map((item) => ({
            key: item.licenseId,
            label: item.licenseName,
            value: item.peak,
            whole: item.seatsTotal,
            to: `/licenses/${item.licenseId}/sessions`,
            of: t`of ${{ seats: number(item.seatsTotal) }} on ${{ day: utcDay(item.peakOn) }}`,
            ...noteOf(live.get(item.licenseId)),
          }))}
          empty={t`No sessions of Floating licenses in this period.`}
          name="fullest-licenses"
        />
      </ChartPair>
    </>
  );
}
