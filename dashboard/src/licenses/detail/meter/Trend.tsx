import { t } from "@lingui/core/macro";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { DaySection } from "../../../ui/charts/DaySection";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { meterOf } from "../traits";

/** Usage and grants per day, for the last 30 days. */
export function Trend({ license }: { license: License }) {
  const { data, error, refetch } = $api.useQuery("get", "/api/statistics/meter-usage", {
    params: { query: { licenseId: license.id } },
  });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  return (
    <DaySection
      title={t`Last 30 days`}
      subtitle={meterOf(license) === "uses" ? t`In uses, by day.` : t`In credits, by day.`}
      label={t`Used and granted`}
      days={data?.dailyTrend}
      series={[
        { label: t`Used`, value: (day) => day.consumed, total: data?.consumption ?? 0 },
        { label: t`Granted`, value: (day) => day.granted, total: data?.grants ?? 0 },
      ]}
      empty={t`Nothing was used or granted in the last 30 days.`}
      name={`meter-${license.id}`}
    />
  );
}
