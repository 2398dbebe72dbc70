import { $api, at } from "../api/client";

/** How often an open page refreshes. */
export const MINUTE_MS = 60_000;

/** Key figures and recent activity of an institution. */
export const useOverview = (institutionId: string) =>
  $api.useQuery("get", "/api/institutions/{institutionId}/overview", at({ institutionId }), {
    refetchInterval: MINUTE_MS,
  });

/** What waits for the user in an institution, and its figures. */
export const useHome = (institutionId: string) =>
  $api.useQuery("get", "/api/institutions/{institutionId}/home", at({ institutionId }), {
    refetchInterval: MINUTE_MS,
  });
