import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { DaySection } from "../../ui/charts/DaySection";
import type { Series } from "../../ui/charts/days";
import { percent } from "../../ui/formats";
import { fillOf, toneFill } from "../../ui/status";
import { useStatisticsQuery } from "../filters/useFilters";
import { TabContent } from "../TabContent";

const SERIES: Series<Schemas["RenewalDay"]>[] = [
  { label: t`Renewed`, value: (day) => day.renewed, color: toneFill("good") },
  { label: t`Lapsed`, value: (day) => day.lapsed, color: toneFill("over") },
  { label: t`Revoked`, value: (day) => day.revoked, color: fillOf("Revoked") },
];

const rateOf = (rate: number | null | undefined) => (rate == null ? "—" : percent(rate));

const rateBefore = (rate: number | null) =>
  rate === null ? t`None before` : t`${{ rate: percent(rate) }} before`;

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
          label: t`Renewal rate`,
          value: data && rateOf(data.renewalRate),
          hint: past ? rateBefore(past.renewalRate) : "",
        },
        { label: t`Renewed`, value: data?.renewed, previous: past?.renewed },
        {
          label: t`Maintenance renewed`,
          value: data?.renewedByKind.Updates,
          previous: past?.renewedByKind.Updates,
        },
        { label: t`Lapsed`, value: data?.lapsed, previous: past?.lapsed },
        { label: t`Revoked`, value: data?.revoked, previous: past?.revoked },
        { label: t`Churned`, value: data?.churned, previous: past?.churned },
        { label: t`Issued`, value: data?.issued, previous: past?.issued },
      ]}
    >
      <DaySection
        title={t`Renewed and ended licenses`}
        days={data?.dailyTrend}
        series={SERIES}
        empty={t`No license was renewed, lapsed or was revoked in this period.`}
        name="renewals-by-day"
      />
    </TabContent>
  );
}
