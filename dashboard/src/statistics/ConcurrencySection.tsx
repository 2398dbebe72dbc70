import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { DaySection } from "../ui/charts/DaySection";
import type { Series } from "../ui/charts/days";
import { number, utcDay } from "../ui/formats";
import { useStatisticsQuery } from "./filters/useFilters";
import { RankingSection } from "./RankingSection";

/** How many seats of Floating licenses were in use at once, against those that there are. */
export function ConcurrencySection() {
  const { data } = $api.useQuery("get", "/api/statistics/concurrency", ...useStatisticsQuery());
  const peak: Series<Schemas["ConcurrencyDay"]>[] = [
    { label: "Sessions at once", value: (day) => day.peak, total: data?.peak ?? 0, isPeak: true },
  ];
  return (
    <>
      <DaySection
        title="Peak concurrency"
        subtitle={
          data &&
          `The most sessions at once, of ${number(data.seats)} seats that active Floating licenses have now.`
        }
        days={data?.dailyTrend}
        series={peak}
        empty="No sessions of Floating licenses in this period."
        name="peak-concurrency-by-day"
      />
      <RankingSection
        title="Fullest licenses"
        subtitle="Licenses whose seats were most in use at once."
        heads={["License", "Sessions at once", "Seats"]}
        ranks={data?.topLicenses.map((item) => ({
          key: item.licenseId,
          label: item.licenseName,
          value: item.peak,
          of: item.seatsTotal,
          to: `/licenses/${item.licenseId}/sessions`,
          note: `of ${number(item.seatsTotal)} on ${utcDay(item.peakOn)}`,
        }))}
        empty="No sessions of Floating licenses in this period."
        name="fullest-licenses"
        height={140}
      />
    </>
  );
}
