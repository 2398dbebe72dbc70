import { $api } from "../api/client";

/** How often an open page refreshes. */
export const MINUTE_MS = 60_000;

/** Key figures and recent activity of an institution. */
export const useOverview = (institutionId: string) =>
  $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/overview",
    { params: { path: { institutionId } } },
    { refetchInterval: MINUTE_MS },
  );

/** What waits for the user in an institution, and its figures. */
export const useHome = (institutionId: string) =>
  $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/home",
    { params: { path: { institutionId } } },
    { refetchInterval: MINUTE_MS },
  );
