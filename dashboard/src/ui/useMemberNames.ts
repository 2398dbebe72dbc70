import { $api } from "../api/client";
import { useCan } from "./useInstitution";

/** What the members are called by whose addresses events are signed; others keep their address. */
export function useMemberNames(institutionId: string) {
  const { manage } = useCan(institutionId);
  const { data } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/members",
    { params: { path: { institutionId }, query: { pageSize: 100 } } },
    { enabled: manage },
  );
  const names = new Map(data?.items.map(({ email, fullName }) => [email, fullName]));
  return (address: string | null) => (address === null ? null : names.get(address) || address);
}
