import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { number } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { licenseListPath } from "../../ui/licenseListPath";
import { DaySection } from "../../ui/charts/DaySection";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { ReconciliationSection } from "../reconciliation/ReconciliationSection";
import { useStatisticsQuery, useFilters } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { ChartPair, TabContent } from "../TabContent";

type Mode = Schemas["MeterMode"];

const TYPES = { Token: "MeteredToken", Count: "MeteredCount" } as const;
const UNITS: Record<Mode, string> = { Token: "Credits", Count: "Uses" };

/** Meter usage, for credits or uses, which cannot be added up. */
export function MeterTab() {
  const asked = $api.useQuery("get", "/api/statistics/meter-usage", ...useStatisticsQuery());
  const { data } = asked;
  const { mode, switcher } = useMode(data);
  const { productId } = useFilters().filters;
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const usage = data?.byMode[mode];
  const unit = UNITS[mode];
  const days: Series<Schemas["MeterDay"]>[] = [
    { label: "Used", value: (day) => day.consumed, total: usage?.consumption ?? 0 },
    { label: "Granted", value: (day) => day.granted, total: usage?.grants ?? 0 },
  ];
  const name = unit.toLowerCase();
  const unused = "Nothing was used in this period.";
  return (
    <TabContent
      asked={asked}
      before={switcher}
      figures={[
        {
          label: `${MODEL_LABELS[TYPES[mode]]} licenses`,
          value: mode === "Token" ? data?.meteredTokenLicenseCount : data?.meteredCountLicenseCount,
          hint: "Now",
          to: licenseListPath({ type: TYPES[mode], productId }),
        },
        { label: "Balance", value: usage?.totalBalance, hint: `${unit} left now` },
        { label: "Used", value: usage?.consumption, hint: `${unit} in the period` },
        { label: "Granted", value: usage?.grants, hint: "Including initial balances" },
        { label: "Adjusted", value: usage?.adjustments, hint: "Net adjustments" },
      ]}
    >
      <DaySection
        title={`${unit} used and granted`}
        days={usage?.dailyTrend}
        series={days}
        empty="Nothing was used or granted in this period."
        name={`${name}-by-day`}
      />
      <ChartPair>
        <RankingSection
          title="Licenses with the highest usage"
          heads={["License", unit]}
          ranks={usage?.topLicenses.map((item) => ({
            key: item.licenseId,
            label: item.licenseName,
            value: item.consumed,
            to: `/licenses/${item.licenseId}/meter`,
          }))}
          empty={unused}
          name={`${name}-by-license`}
        />
        <RankingSection
          title="Most used features"
          heads={["Feature", unit]}
          ranks={usage?.topFeatures.map((item) => ({
            key: item.featureName,
            label: item.featureName,
            value: item.consumed,
          }))}
          empty={unused}
          name={`${name}-by-feature`}
        />
      </ChartPair>
      <RankingSection
        title="Low balances"
        subtitle="Active licenses with no balance, or at or below their threshold."
        heads={["License", `${unit} left`, "Threshold"]}
        ranks={usage?.lowBalanceLicenses.map((item) => ({
          key: item.licenseId,
          label: item.licenseName,
          value: item.balance,
          to: `/licenses/${item.licenseId}/meter`,
          ...(item.lowBalanceThreshold !== null && {
            note: `threshold ${number(item.lowBalanceThreshold)}`,
          }),
        }))}
        empty="No licenses with a low balance."
        name={`low-balances-${name}`}
        color={1}
        height={140}
      />
      {manage && institutionId && (
        <ReconciliationSection key={institutionId} institutionId={institutionId} />
      )}
    </TabContent>
  );
}

/** The meter mode from the URL or the one in use, and a switch if both are in use. */
function useMode(data: Schemas["MeterStatistics"] | undefined) {
  const { mode: asked, change } = useFilters();
  const hasTokens = (data?.meteredTokenLicenseCount ?? 0) > 0;
  const hasCounts = (data?.meteredCountLicenseCount ?? 0) > 0;
  const mode = asked ?? (hasCounts && !hasTokens ? "Count" : "Token");
  const choose = (_: unknown, chosen: Mode | null) => {
    if (chosen) change({ mode: chosen });
  };
  const switcher = ((hasTokens && hasCounts) || asked) && (
    <ToggleButtonGroup exclusive aria-label="Unit" value={mode} onChange={choose}>
      <ToggleButton value="Token">Credits</ToggleButton>
      <ToggleButton value="Count">Uses</ToggleButton>
    </ToggleButtonGroup>
  );
  return { mode, switcher };
}
