import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { request } from "../api/client";
import type { Schemas } from "../api/types";
import { amountText } from "../ui/quantities";
import type { Fact } from "./licenseText";

/** What devices have reserved of a balance and not yet accounted for, as a fact; empty without it. */
export function useReservedFacts(
  license: Schemas["PortalLicense"] | undefined,
  path: string,
): Fact[] {
  const { data } = useQuery({
    queryKey: ["get", path, "balance"],
    queryFn: () => request<Schemas["BalanceResponse"]>("GET", `${path}/balance`),
    enabled: license !== undefined && license.meterMode !== null,
  });
  if (!data?.held) return [];
  const meter = data.mode === "Count" ? "uses" : "credits";
  return [[t`Reserved by devices`, amountText(data.held, meter)]];
}
