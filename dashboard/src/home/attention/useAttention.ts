import { $api } from "../../api/client";
import { useCan } from "../../ui/useInstitution";
import { MINUTE_MS } from "../useOverview";
import { attentionGroups } from "./attentionGroups";

/** What needs attention in the institution; webhooks only for those who may see them. */
export function useAttention(institutionId: string) {
  const { manage } = useCan();
  const often = { refetchInterval: MINUTE_MS };
  const attention = $api.useQuery(
    "get",
    "/api/statistics/attention",
    { params: { query: { institutionId } } },
    often,
  );
  const webhooks = $api.useQuery(
    "get",
    "/api/webhooks",
    { params: { query: { institutionId, pageSize: 100 } } },
    { ...often, enabled: manage },
  );
  const isKnown = attention.data && (webhooks.data ?? !manage);
  return {
    kinds: isKnown ? attentionGroups(attention.data, webhooks.data?.items ?? []) : undefined,
    error: attention.error ?? webhooks.error,
    refetch: () => Promise.all([attention.refetch(), webhooks.refetch()]),
  };
}
