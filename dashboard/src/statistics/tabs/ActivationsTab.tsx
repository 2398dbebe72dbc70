import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { DaySection } from "../../ui/charts/DaySection";
import { useStatisticsQuery } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { SharesSection } from "../SharesSection";
import { ChartPair, TabContent } from "../TabContent";
import { ranksOf } from "../topLicenses";
import { useComparison } from "../useComparison";
import { VersionsSection } from "../VersionsSection";

type Day = Schemas["ActivationDay"];

/** Current devices, and their history over the period. */
export function ActivationsTab() {
  const asked = $api.useQuery("get", "/api/statistics/activations", ...useStatisticsQuery());
  const { data } = asked;
  const before = useComparison();
  const changes: Series<Day>[] = [
    { label: "New", value: (day) => day.created, total: data?.created ?? 0 },
    { label: "Removed", value: (day) => day.removed, total: data?.removed ?? 0 },
    { label: "Blocked", value: (day) => day.blocked },
  ];
  const attempts: Series<Day>[] = [
    { label: "Unauthorized machines", value: (day) => day.accessAttempts },
  ];
  return (
    <TabContent
      asked={asked}
      figures={[
        { label: "Active devices", value: data?.active, hint: "Now" },
        { label: "Pending approval", value: data?.pending, hint: "Now" },
        { label: "New", value: data?.created, previous: before("DevicesAdded") },
        { label: "Removed", value: data?.removed, previous: before("DevicesRemoved") },
        { label: "Limit reached", value: data?.limitReached, hint: "Times in the period" },
        {
          label: "Unreviewed attempts",
          value: data?.unreviewedAccessAttempts,
          hint: "From unauthorized machines",
        },
      ]}
    >
      <DaySection
        title="New and removed devices"
        days={data?.dailyTrend}
        series={changes}
        empty="No devices were added, removed or blocked in this period."
        name="devices-by-day"
      />
      <ChartPair>
        <SharesSection
          title="Devices by status"
          head="Status"
          shares={
            data && [
              { label: "Active", value: data.active },
              { label: "Pending", value: data.pending },
              { label: "Blocked", value: data.blocked },
            ]
          }
          empty="No application has activated a device yet."
          name="devices-by-status"
        />
        <RankingSection
          title="Licenses with the most devices"
          heads={["License", "Devices", "Seats"]}
          ranks={ranksOf(data?.topLicenses, "activations")}
          empty="No license has devices yet."
          name="licenses-with-most-devices"
        />
      </ChartPair>
      <VersionsSection />
      <DaySection
        title="Access attempts"
        days={data?.dailyTrend}
        series={attempts}
        empty="No access attempts in this period."
        name="access-attempts-by-day"
      />
    </TabContent>
  );
}
