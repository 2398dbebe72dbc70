import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { DaySection } from "../../ui/charts/DaySection";
import type { Series } from "../../ui/charts/days";
import { number, wholePercent } from "../../ui/formats";
import { fillOf, toneFill } from "../../ui/status";
import { useStatisticsQuery } from "../filters/useFilters";
import { TabContent } from "../TabContent";

const SERIES: Series<Schemas["RenewalDay"]>[] = [
  { label: t`Renewed`, value: (day) => day.renewed, color: toneFill("good") },
  { label: t`Expired`, value: (day) => day.lapsed, color: toneFill("over"), isBelow: true },
  { label: t`Revoked`, value: (day) => day.revoked, color: fillOf("Revoked"), isBelow: true },
];

/** What the renewal rate is of: revoked licenses never came due. */
function ofThoseDue({ renewed, lapsed, previous }: Schemas["RenewalStatistics"]): string {
  const due = t`${{ renewed: number(renewed) }} of ${{ due: number(renewed + lapsed) }} that came due`;
  return previous.renewalRate === null ? t`${due}, no renewals due before` : due;
}

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
          value: data && (data.renewalRate ?? "—"),
          previous: past?.renewalRate ?? undefined,
          hint: data ? ofThoseDue(data) : "",
          show: wholePercent,
          wanted: "more",
        },
        { label: t`Renewed`, value: data?.renewed, previous: past?.renewed },
        {
          label: t`Maintenance renewed`,
          value: data?.renewedByKind.Updates,
          previous: past?.renewedByKind.Updates,
        },
        { label: t`Expired`, value: data?.lapsed, previous: past?.lapsed, wanted: "less" },
        { label: t`Revoked`, value: data?.revoked, previous: past?.revoked, wanted: "less" },
        {
          label: t`Ended`,
          value: data?.churned,
          previous: past?.churned,
          wanted: "less",
          hint: t`Expired or revoked`,
        },
      ]}
    >
      <DaySection
        title={t`Renewed and ended licenses`}
        days={data?.dailyTrend}
        series={SERIES}
        empty={t`No license was renewed, expired or was revoked in this period.`}
        name="renewals-by-day"
      />
    </TabContent>
  );
}
