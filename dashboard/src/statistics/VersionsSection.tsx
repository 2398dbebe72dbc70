import { plural, t } from "@lingui/core/macro";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { useStatisticsQuery } from "./filters/useFilters";
import { RankingSection } from "./RankingSection";

/** Which versions of the applications are in use now: who would lose support. */
export function VersionsSection() {
  const { data } = $api.useQuery("get", "/api/statistics/versions", ...useStatisticsQuery());
  const versions = t`Active devices by the version of the application that they reported last.`;
  const others =
    data?.others && plural({ count: data.others }, { other: "# devices have other versions." });
  return (
    <RankingSection
      title={t`Devices by version`}
      subtitle={others ? `${versions} ${others}` : versions}
      heads={[t`Version`, t`Devices`, t`In use`]}
      ranks={data?.versions.map((item) => ({
        key: `${item.productId}/${item.appVersion ?? ""}`,
        label: labelOf(item),
        value: item.devices,
        to: `/products/${item.productId}/releases`,
        note: usageOf(item),
      }))}
      empty={t`No application has activated a device yet.`}
      name="devices-by-version"
      height={140}
    />
  );
}

const labelOf = ({ productName, appVersion }: Schemas["VersionFigures"]) =>
  appVersion === null ? t`${productName} (version unknown)` : `${productName} ${appVersion}`;

const usageOf = ({ seen, sessions }: Schemas["VersionFigures"]) =>
  [
    plural(seen, { other: "# seen in the period" }),
    sessions > 0 && plural(sessions, { one: "# live session", other: "# live sessions" }),
  ]
    .filter(Boolean)
    .join(", ");
