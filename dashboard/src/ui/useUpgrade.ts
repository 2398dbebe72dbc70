import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { useCan } from "./useInstitution";

/** The newer release of the service that its feed named, for system Admins. */
export function useUpgrade(): Schemas["Version"] | null {
  const { isSystemAdmin } = useCan();
  const { data } = $api.useQuery(
    "get",
    "/api/version/upgrade",
    {},
    { enabled: isSystemAdmin, staleTime: Infinity },
  );
  return data?.upgrade ?? null;
}
