import { plural, t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import { LICENSE_STATUSES, LICENSE_TYPES, type Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { seriesColor } from "../../ui/charts/series";
import { MODEL_LABELS } from "../../ui/labels";
import { countedLicensesPath } from "../../ui/paths";
import { DaySection } from "../../ui/charts/DaySection";
import { fillOf, statusWords, toneFill } from "../../ui/status";
import { useStatisticsQuery, useFilters } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { SharesSection } from "../SharesSection";
import { ChartPair, TabContent } from "../TabContent";
import { useComparison } from "../comparing";

type Statistics = Schemas["LicenseStatistics"];

const seriesOf = (data: Statistics | undefined): Series<Schemas["LicenseDay"]>[] => [
  { label: t`Issued`, value: (day) => day.created, total: data?.created ?? 0 },
  {
    label: t`Renewed`,
    value: (day) => day.renewed,
    total: data?.renewed ?? 0,
    color: toneFill("good"),
  },
  {
    label: t`Converted`,
    value: (day) => day.converted,
    total: data?.converted ?? 0,
    color: seriesColor(3),
  },
  {
    label: t`Revoked`,
    value: (day) => day.revoked,
    total: data?.revoked ?? 0,
    color: fillOf("Revoked"),
    isBelow: true,
  },
];

/** Current licenses, and their history over the period. */
export function LicensesTab() {
  const asked = $api.useQuery("get", "/api/statistics/licenses", ...useStatisticsQuery());
  const { productId } = useFilters().filters;
  const { data } = asked;
  const before = useComparison();
  const none = t`There are no licenses yet.`;
  return (
    <TabContent
      asked={asked}
      figures={[
        {
          label: t`Licenses`,
          value: data?.total,
          hint: t`Now`,
          to: countedLicensesPath({ productId }),
        },
        {
          label: t`Active`,
          value: data?.byStatus["Active"],
          hint: t`Now`,
          to: countedLicensesPath({ status: "Active", productId }),
        },
        {
          label: t`Expiring in 30 days`,
          value: data?.expiringIn30Days,
          hint: t`Including grace`,
          to: countedLicensesPath({ status: "Active", expiringWithin: 30, productId }),
        },
        {
          label: t`Issued`,
          value: data?.created,
          previous: before("LicensesIssued"),
        },
        {
          label: t`Renewed`,
          value: data?.renewed,
          previous: before("LicensesRenewed"),
        },
        {
          label: t`Revoked`,
          value: data?.revoked,
          previous: before("LicensesRevoked"),
          wanted: "less",
        },
      ]}
    >
      <DaySection
        title={t`License activity`}
        days={data?.dailyTrend}
        series={seriesOf(data)}
        empty={t`No licenses were issued, renewed, converted or revoked in this period.`}
        name="licenses-by-day"
      />
      <ChartPair>
        <SharesSection
          title={t`By status, now`}
          head={t`Status`}
          shares={
            data &&
            LICENSE_STATUSES.map((status) => ({
              label: statusWords(status),
              value: data.byStatus[status] ?? 0,
              to: countedLicensesPath({ status, productId }),
              color: fillOf(status),
            }))
          }
          empty={none}
          name="licenses-by-status"
        />
        <RankingSection
          title={t`By product, now`}
          heads={[t`Product`, t`Licenses`, t`Active`]}
          ranks={data?.byProduct.map((item) => ({
            key: item.productId,
            label: item.productName,
            value: item.total,
            note: plural({ count: item.active }, { other: "# active" }),
            to: countedLicensesPath({ productId: item.productId }),
          }))}
          empty={t`There are no products yet.`}
          name="licenses-by-product"
        />
      </ChartPair>
      <RankingSection
        title={t`By model, now`}
        heads={[t`Model`, t`Licenses`]}
        ranks={data && (data.total > 0 ? modelRanks(data, productId) : [])}
        empty={none}
        name="licenses-by-model"
      />
    </TabContent>
  );
}

const modelRanks = (data: Statistics, productId: string | null) =>
  LICENSE_TYPES.map((type) => ({
    key: type,
    label: MODEL_LABELS[type],
    value: data.byType[type] ?? 0,
    to: countedLicensesPath({ type, productId }),
  })).sort((one, other) => other.value - one.value);
