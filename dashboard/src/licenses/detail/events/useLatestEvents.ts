import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { useMemberNames } from "../../../ui/useMemberNames";

const FETCHED = 25;
const REFRESH_MS = 15_000;

/** What happened to the license last, newest first; undefined until it is known. */
export function useLatestEvents({ id, institutionId }: License, enabled = true) {
  const nameOf = useMemberNames(institutionId);
  const query = { pageSize: FETCHED, sort: "-occurredAt" };
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/events",
    { params: { path: { licenseId: id }, query } },
    { refetchInterval: REFRESH_MS, enabled },
  );
  return data?.items.map((event) => ({ ...event, actorName: nameOf(event.actorName) }));
}
