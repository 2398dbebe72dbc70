import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { MODEL_TRAITS } from "../../../ui/models";
import { useCan } from "../../../ui/useInstitution";
import { REFRESH_MS } from "./useCounts";

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
