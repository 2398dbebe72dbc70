import { plural, t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { DaySection } from "../../ui/charts/DaySection";
import { fillOf, toneFill } from "../../ui/status";
import { ranksOf, useComparison } from "../comparing";
import { useStatisticsQuery } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { ChartPair, TabContent } from "../TabContent";

type Day = Schemas["ActivationDay"];

/** Current devices, and their history over the period. */
export function ActivationsTab() {
  const asked = $api.useQuery("get", "/api/statistics/activations", ...useStatisticsQuery());
  const { data } = asked;
  const before = useComparison();
  const changes: Series<Day>[] = [
    { label: t`New`, value: (day) => day.created, total: data?.created ?? 0 },
    {
      label: t`Removed`,
      value: (day) => day.removed,
      total: data?.removed ?? 0,
      color: toneFill("over"),
      isBelow: true,
    },
    {
      label: t`Blocked`,
      value: (day) => day.blocked,
      color: fillOf("Blocked"),
      isBelow: true,
    },
  ];
  const attempts: Series<Day>[] = [
    { label: t`Unauthorized devices`, value: (day) => day.accessAttempts },
  ];
  return (
    <TabContent
      asked={asked}
      figures={[
        { label: t`Active devices`, value: data?.active, hint: data ? othersOf(data) : t`Now` },
        { label: t`Pending approval`, value: data?.pending, hint: t`Now` },
        { label: t`New`, value: data?.created, previous: before("DevicesAdded") },
        { label: t`Removed`, value: data?.removed, previous: before("DevicesRemoved") },
        { label: t`Limit reached`, value: data?.limitReached, hint: t`Times in the period` },
        {
          label: t`Unreviewed attempts`,
          value: data?.unreviewedAccessAttempts,
          hint: t`From unauthorized devices`,
        },
      ]}
    >
      <DaySection
        title={t`New and removed devices`}
        days={data?.dailyTrend}
        series={changes}
        empty={t`No devices were added, removed or blocked in this period.`}
        name="devices-by-day"
      />
      <ChartPair>
        <RankingSection
          title={t`Licenses with the most devices`}
          heads={[t`License`, t`Devices`, t`Seats`]}
          ranks={ranksOf(data?.topLicenses, "activations")}
          empty={t`No license has devices yet.`}
          name="licenses-with-most-devices"
        />
        <VersionsSection />
      </ChartPair>
      <DaySection
        title={t`Access attempts`}
        days={data?.dailyTrend}
        series={attempts}
        empty={t`No access attempts in this period.`}
        name="access-attempts-by-day"
      />
    </TabContent>
  );
}

/** The devices beside the active ones that no figure of its own counts. */
const othersOf = ({ blocked, overLimit, released }: Schemas["ActivationStatistics"]) =>
  [
    t`Now`,
    blocked > 0 && plural({ count: blocked }, { other: "# blocked" }),
    overLimit > 0 && plural({ count: overLimit }, { other: "# over the limit" }),
    released > 0 && plural({ count: released }, { other: "# released" }),
  ]
    .filter(Boolean)
    .join(" · ");

/** Which versions of the applications are in use now: who would lose support. */
function VersionsSection() {
  const { data } = $api.useQuery("get", "/api/statistics/versions", ...useStatisticsQuery());
  const versions = t`Active devices by the version of the application that they reported last.`;
  const others =
    data?.others && plural({ count: data.others }, { other: "# devices have other versions." });
  return (
    <RankingSection
      title={t`Devices by version`}
      subtitle={others ? `${versions} ${others}` : versions}
      heads={[t`Version`, t`Devices`, t`In use`]}
      ranks={data?.versions.toSorted(byDevices).map((item) => ({
        key: `${item.productId}/${item.appVersion ?? ""}`,
        label: labelOf(item),
        value: item.devices,
        to: `/products/${item.productId}/releases`,
        note: usageOf(item),
      }))}
      empty={t`No application has activated a device yet.`}
      name="devices-by-version"
    />
  );
}

/** By the figure that is shown; the server counts sessions in, too. */
const byDevices = (one: Schemas["VersionFigures"], other: Schemas["VersionFigures"]) =>
  other.devices - one.devices;

const labelOf = ({ productName, appVersion }: Schemas["VersionFigures"]) =>
  appVersion === null ? t`${productName} (version unknown)` : `${productName} ${appVersion}`;

const usageOf = ({ seen, sessions }: Schemas["VersionFigures"]) =>
  [
    plural(seen, { other: "# seen in the period" }),
    sessions > 0 && plural(sessions, { one: "# live session", other: "# live sessions" }),
  ]
    .filter(Boolean)
    .join(", ");
