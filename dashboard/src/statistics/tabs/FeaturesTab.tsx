import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { number } from "../../ui/formats";
import { useCurrentQuery } from "../filters/useFilters";
import { RankingSection } from "../RankingSection";
import { TabContent } from "../TabContent";

type Holders = Schemas["FeatureHolders"];

/** Which features active licenses have now, with which values. */
export function FeaturesTab() {
  const asked = $api.useQuery("get", "/api/statistics/features", ...useCurrentQuery());
  const { data } = asked;
  const unrestricted = data?.unrestricted.reduce((sum, { licenses }) => sum + licenses, 0);
  return (
    <TabContent
      asked={asked}
      figures={[
        { label: t`Features in use`, value: data?.byFeature.length, hint: t`Now` },
        {
          label: t`Not restricted`,
          value: unrestricted,
          hint: t`Licenses without an entitlement set`,
        },
      ]}
    >
      <RankingSection
        title={t`By feature`}
        subtitle={t`Active licenses that have the feature from their entitlement set or of their own.`}
        heads={[t`Feature`, t`Licenses`, t`Values`]}
        ranks={data?.byFeature.map((holders) => ({
          key: `${holders.productId}/${holders.featureName}`,
          label: `${holders.productName}: ${holders.featureName}`,
          value: holders.licenses,
          to: `/products/${holders.productId}/features`,
          note: valuesOf(holders),
        }))}
        empty={t`No license has an entitlement set or a feature of its own.`}
        name="features"
      />
      <RankingSection
        title={t`Not restricted`}
        subtitle={t`Active licenses without an entitlement set: they may use every feature.`}
        heads={[t`Product`, t`Licenses`]}
        ranks={data?.unrestricted.map(({ productId, productName, licenses }) => ({
          key: productId,
          label: productName,
          value: licenses,
          to: `/products/${productId}`,
        }))}
        empty={t`Every license has an entitlement set.`}
        name="unrestricted-licenses"
        height={140}
      />
    </TabContent>
  );
}

function valuesOf({ kind, values, otherValues }: Holders): string {
  if (kind === "Flag") return "";
  const shown = values.map(({ value, licenses }) => `${String(value)} (${number(licenses)})`);
  return [
    ...shown,
    ...(otherValues > 0 ? [t`other values (${{ count: number(otherValues) }})`] : []),
  ].join(", ");
}
