import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { number } from "../../ui/formats";
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
    { label: "Events", value: (day) => day.events, total: data?.events ?? 0 },
  ];
  // A device counts once per day, so days do not add up.
  const devices: Series<Day>[] = [{ label: "Devices", value: (day) => day.devices }];
  const none = "No telemetry in this period.";
  return (
    <TabContent
      asked={asked}
      figures={[
        { label: "Events", value: data?.events, hint: "In the period" },
        { label: "Devices", value: data?.devices, hint: "That sent events" },
        { label: "Licenses", value: data?.licenses, hint: "Named in events" },
      ]}
    >
      <DaySection
        title="Events by day"
        days={data?.dailyTrend}
        series={events}
        extraColumns={devices}
        empty={none}
        name="telemetry-by-day"
      />
      <RankingSection
        title="Events by name"
        heads={["Event", "Events", "Devices"]}
        ranks={data?.topNames.map((item) => ({
          key: item.name,
          label: item.name,
          value: item.events,
          note: item.devices === 1 ? "from 1 device" : `from ${number(item.devices)} devices`,
        }))}
        empty={none}
        name="telemetry-by-name"
      />
    </TabContent>
  );
}
