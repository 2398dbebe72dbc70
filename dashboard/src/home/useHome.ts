import { $api } from "../api/client";
import { MINUTE_MS } from "./useOverview";

/** What waits for the user in an institution, and its figures. */
export const useHome = (institutionId: string) =>
  $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/home",
    { params: { path: { institutionId } } },
    { refetchInterval: MINUTE_MS },
  );
