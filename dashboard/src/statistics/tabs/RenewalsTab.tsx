import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { DaySection } from "../../ui/charts/DaySection";
import type { Series } from "../../ui/charts/days";
import { percent } from "../../ui/formats";
import { useStatisticsQuery } from "../filters/useFilters";
import { TabContent } from "../TabContent";

const SERIES: Series<Schemas["RenewalDay"]>[] = [
  { label: "Renewed", value: (day) => day.renewed },
  { label: "Lapsed", value: (day) => day.lapsed },
  { label: "Revoked", value: (day) => day.revoked },
];

const rateOf = (rate: number | null | undefined) => (rate == null ? "—" : percent(rate));

/** Who stays and who leaves: renewals against licenses that ended. */
export function RenewalsTab() {
  const asked = $api.useQuery("get", "/api/statistics/renewals", ...useStatisticsQuery());
  const { data } = asked;
  const past = data?.previous;
  return (
    <TabContent
      asked={asked}
      figures={[
        {
          label: "Renewal rate",
          value: data && rateOf(data.renewalRate),
          hint: past ? `${rateOf(past.renewalRate)} before` : "",
        },
        { label: "Renewed", value: data?.renewed, previous: past?.renewed },
        { label: "Lapsed", value: data?.lapsed, previous: past?.lapsed },
        { label: "Revoked", value: data?.revoked, previous: past?.revoked },
        { label: "Churned", value: data?.churned, previous: past?.churned },
        { label: "Issued", value: data?.issued, previous: past?.issued },
      ]}
    >
      <DaySection
        title="Renewed and ended licenses"
        days={data?.dailyTrend}
        series={SERIES}
        empty="No license was renewed, lapsed or was revoked in this period."
        name="renewals-by-day"
      />
    </TabContent>
  );
}
