import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { Series } from "../../ui/charts/days";
import { number } from "../../ui/formats";
import { countedLicensesPath } from "../../ui/paths";
import { DaySection } from "../../ui/charts/DaySection";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { ReconciliationSection } from "../reconciliation/ReconciliationSection";
import { useStatisticsQuery, useFilters } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { ChartPair, TabContent } from "../TabContent";

type Mode = Schemas["MeterMode"];

const TYPES = { Token: "MeteredToken", Count: "MeteredCount" } as const;
/** In the names of files. */
const FILE_NAMES: Record<Mode, string> = { Token: "credits", Count: "uses" };

interface Words {
  unit: string;
  licenses: string;
  leftNow: string;
  inPeriod: string;
  usedAndGranted: string;
  left: string;
}

const WORDS: Record<Mode, Words> = {
  Token: {
    unit: t`Credits`,
    licenses: t`Credit-Based licenses`,
    leftNow: t`Credits left now`,
    inPeriod: t`Credits in the period`,
    usedAndGranted: t`Credits used and granted`,
    left: t`Credits left`,
  },
  Count: {
    unit: t`Uses`,
    licenses: t`Usage-Based licenses`,
    leftNow: t`Uses left now`,
    inPeriod: t`Uses in the period`,
    usedAndGranted: t`Uses used and granted`,
    left: t`Uses left`,
  },
};

/** Meter usage, for credits or uses, which cannot be added up. */
export function MeterTab() {
  const asked = $api.useQuery("get", "/api/statistics/meter-usage", ...useStatisticsQuery());
  const { data } = asked;
  const { mode, switcher } = useMode(data);
  const { productId } = useFilters().filters;
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const usage = data?.byMode[mode];
  const words = WORDS[mode];
  const days: Series<Schemas["MeterDay"]>[] = [
    { label: t`Used`, value: (day) => day.consumed, total: usage?.consumption ?? 0 },
    { label: t`Granted`, value: (day) => day.granted, total: usage?.grants ?? 0 },
  ];
  const name = FILE_NAMES[mode];
  const unused = t`Nothing was used in this period.`;
  return (
    <TabContent
      asked={asked}
      before={switcher}
      figures={[
        {
          label: words.licenses,
          value: mode === "Token" ? data?.meteredTokenLicenseCount : data?.meteredCountLicenseCount,
          hint: t`Now`,
          to: countedLicensesPath({ type: TYPES[mode], productId }),
        },
        { label: t`Balance`, value: usage?.totalBalance, hint: words.leftNow },
        { label: t`Used`, value: usage?.consumption, hint: words.inPeriod },
        { label: t`Granted`, value: usage?.grants, hint: t`Including initial balances` },
        { label: t`Adjusted`, value: usage?.adjustments, hint: t`Net adjustments` },
      ]}
    >
      <DaySection
        title={words.usedAndGranted}
        days={usage?.dailyTrend}
        series={days}
        empty={t`Nothing was used or granted in this period.`}
        name={`${name}-by-day`}
      />
      <ChartPair>
        <RankingSection
          title={t`Licenses with the highest usage`}
          heads={[t`License`, words.unit]}
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
          title={t`Most used features`}
          heads={[t`Feature`, words.unit]}
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
        title={t`Low balances`}
        subtitle={t`Active licenses with no balance, or at or below their threshold.`}
        heads={[t`License`, words.left, t`Threshold`]}
        ranks={usage?.lowBalanceLicenses.map((item) => ({
          key: item.licenseId,
          label: item.licenseName,
          value: item.balance,
          to: `/licenses/${item.licenseId}/meter`,
          ...(item.lowBalanceThreshold !== null && {
            whole: item.lowBalanceThreshold,
            note: t`threshold ${{ amount: number(item.lowBalanceThreshold) }}`,
          }),
        }))}
        empty={t`No licenses with a low balance.`}
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
    <ToggleButtonGroup exclusive aria-label={t`Unit`} value={mode} onChange={choose}>
      <ToggleButton value="Token">{WORDS.Token.unit}</ToggleButton>
      <ToggleButton value="Count">{WORDS.Count.unit}</ToggleButton>
    </ToggleButtonGroup>
  );
  return { mode, switcher };
}
