import { $api } from "../../../api/client";
import type { License } from "../../../api/types";

const FETCHED = 25;
const REFRESH_MS = 15_000;

/** What happened to the license last, newest first. */
export function useLatestEvents({ id }: License, enabled = true) {
  const query = { pageSize: FETCHED, sort: "-occurredAt" };
  return $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/events",
    { params: { path: { licenseId: id }, query } },
    { refetchInterval: REFRESH_MS, enabled, select: ({ items }) => items },
  );
}
