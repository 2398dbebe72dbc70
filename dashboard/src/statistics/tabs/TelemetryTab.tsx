import { plural, t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { DaySection } from "../../ui/charts/DaySection";
import { useStatisticsQuery } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { TabContent } from "../TabContent";

type Day = Schemas["TelemetryDay"];

/** Telemetry events sent by applications. */
export function TelemetryTab() {
  const asked = $api.useQuery("get", "/api/statistics/telemetry", ...useStatisticsQuery());
  const { data } = asked;
  const events: Series<Day>[] = [
    { label: t`Events`, value: (day) => day.events, total: data?.events ?? 0 },
  ];
  // A device counts once per day, so days do not add up.
  const devices: Series<Day>[] = [{ label: t`Devices`, value: (day) => day.devices }];
  const none = t`No telemetry in this period.`;
  return (
    <TabContent
      asked={asked}
      figures={[
        { label: t`Events`, value: data?.events, hint: t`In the period` },
        { label: t`Devices`, value: data?.devices, hint: t`That sent events` },
        { label: t`Licenses`, value: data?.licenses, hint: t`Named in events` },
      ]}
    >
      <DaySection
        title={t`Events by day`}
        days={data?.dailyTrend}
        series={events}
        extraColumns={devices}
        empty={none}
        name="telemetry-by-day"
      />
      <RankingSection
        title={t`Events by name`}
        heads={[t`Event`, t`Events`, t`Devices`]}
        ranks={data?.topNames.map((item) => ({
          key: item.name,
          label: item.name,
          value: item.events,
          note: plural({ count: item.devices }, { one: "from # device", other: "from # devices" }),
        }))}
        empty={none}
        name="telemetry-by-name"
      />
    </TabContent>
  );
}
