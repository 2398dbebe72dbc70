import { $api, at } from "../../../api/client";
import type { License } from "../../../api/types";

/** How often the devices of a license are asked for again. */
export const REFRESH_MS = 15_000;

/** How many seats of a Concurrent license a new device could take from idle ones. */
export function useReclaimable(license: License): number {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/counts",
    at({ licenseId: license.id }),
    { refetchInterval: REFRESH_MS, enabled: license.type === "Concurrent" },
  );
  return data?.reclaimableDevices ?? 0;
}
