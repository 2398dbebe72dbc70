import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { DaySection } from "../../ui/charts/DaySection";
import { ConcurrencySection } from "../ConcurrencySection";
import { useStatisticsQuery } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { ChartPair, TabContent } from "../TabContent";
import { ranksOf, useComparison } from "../comparing";

type Day = Schemas["SessionDay"];

/** Live sessions, and their history over the period. */
export function SessionsTab() {
  const asked = $api.useQuery("get", "/api/statistics/sessions", ...useStatisticsQuery());
  const { data } = asked;
  const before = useComparison();
  const limit: Series<Day>[] = [
    { label: t`Limit reached`, value: (day) => day.limitReached, total: data?.limitReached ?? 0 },
  ];
  return (
    <TabContent
      asked={asked}
      figures={[
        { label: t`Live`, value: data?.live, hint: t`Now` },
        { label: t`Started`, value: data?.started, previous: before("SessionsStarted") },
        { label: t`Ended`, value: data?.ended, hint: t`In the period` },
        { label: t`Limit reached`, value: data?.limitReached, hint: t`Times in the period` },
      ]}
    >
      <ConcurrencySection />
      <ChartPair>
        <DaySection
          title={t`Seat limit reached`}
          days={data?.dailyTrend}
          series={limit}
          empty={t`No sessions were rejected for lack of a seat in this period.`}
          name="session-limits-by-day"
        />
        <RankingSection
          title={t`Licenses with the most live sessions`}
          heads={[t`License`, t`Live sessions`, t`Seats`]}
          ranks={ranksOf(data?.topLicenses, "sessions")}
          empty={t`No live sessions.`}
          name="licenses-with-most-sessions"
        />
      </ChartPair>
    </TabContent>
  );
}
