import { $api } from "../api/client";

/** How often the page asks again while somebody looks at it. */
export const MINUTE_MS = 60_000;

/** What there is in the institution, and what happened last. */
export const useOverview = (institutionId: string) =>
  $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/overview",
    { params: { path: { institutionId } } },
    { refetchInterval: MINUTE_MS },
  );
