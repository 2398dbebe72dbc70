import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { number } from "../ui/formats";
import { useStatisticsQuery } from "./filters/useFilters";
import { RankingSection } from "./RankingSection";

/** Which versions of the applications are in use now: who would lose support. */
export function VersionsSection() {
  const { data } = $api.useQuery("get", "/api/statistics/versions", ...useStatisticsQuery());
  const others = data?.others ? ` ${number(data.others)} devices have other versions.` : "";
  return (
    <RankingSection
      title="Devices by version"
      subtitle={`Active devices by the version of the application that they reported last.${others}`}
      heads={["Version", "Devices", "In use"]}
      ranks={data?.versions.map((item) => ({
        key: `${item.productId}/${item.appVersion ?? ""}`,
        label: `${item.productName} ${item.appVersion ?? "(version not told)"}`,
        value: item.devices,
        to: `/products/${item.productId}/releases`,
        note: usageOf(item),
      }))}
      empty="No application has activated a device yet."
      name="devices-by-version"
      height={140}
    />
  );
}

const usageOf = ({ seen, sessions }: Schemas["VersionFigures"]) =>
  [
    `${number(seen)} seen in the period`,
    sessions > 0 && `${number(sessions)} live ${sessions === 1 ? "session" : "sessions"}`,
  ]
    .filter(Boolean)
    .join(", ");
