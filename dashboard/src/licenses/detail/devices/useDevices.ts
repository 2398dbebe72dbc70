import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { useCan } from "../../../ui/useInstitution";

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
