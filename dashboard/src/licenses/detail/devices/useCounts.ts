import { $api, at } from "../../../api/client";
import type { License } from "../../../api/types";

/** How often the devices of a license are asked for again. */
export const REFRESH_MS = 15_000;

const COUNTED: readonly string[] = ["Concurrent", "NodeLocked"] satisfies License["type"][];

/** How many devices a Concurrent or Node-locked license has in each state; undefined for others. */
export function useCounts(license: License) {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/counts",
    at({ licenseId: license.id }),
    { refetchInterval: REFRESH_MS, enabled: COUNTED.includes(license.type) },
  );
  return data;
}
