import { $api, at } from "../../../api/client";
import type { License } from "../../../api/types";
import { MODEL_TRAITS } from "../../../ui/models";
import { useCan } from "../../../ui/useInstitution";

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

/** The devices of a license, at most 100, for those who see them; undefined until they are known. */
export function useDevices(license: License) {
  const { manage } = useCan(license.institutionId);
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/activations",
    { params: { path: { licenseId: license.id }, query: { pageSize: 100 } } },
    { enabled: manage },
  );
  return manage ? data?.items : [];
}

/** The offline requests of a license that wait for approval, for those who see them. */
export function useWaitingRequests(license: License) {
  const { manage } = useCan(license.institutionId);
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/offline",
    { params: { path: { licenseId: license.id }, query: { state: "Waiting", pageSize: 100 } } },
    { refetchInterval: REFRESH_MS, enabled: manage && MODEL_TRAITS[license.type].offline },
  );
  return data?.items ?? [];
}
