import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { DaySection } from "../../ui/charts/DaySection";
import { ConcurrencySection } from "../ConcurrencySection";
import { useStatisticsQuery } from "../filters/useFilters";
import { TabContent } from "../TabContent";
import { useComparison } from "../comparing";

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
      <ConcurrencySection
        live={new Map(data?.topLicenses.map(({ licenseId, count }) => [licenseId, count]))}
      >
        <DaySection
          title={t`Seat limit reached`}
          days={data?.dailyTrend}
          series={limit}
          empty={t`No sessions were rejected for lack of a seat in this period.`}
          name="session-limits-by-day"
        />
      </ConcurrencySection>
    </TabContent>
  );
}
