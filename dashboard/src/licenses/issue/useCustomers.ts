import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { useInstitution } from "../../ui/useInstitution";

const LEAST = 2;
const OFFERED = 6;

/** The customers whose name, address or company begins so; undefined until known. */
export function useCustomers(search: string) {
  const { institutionId } = useInstitution();
  const query = { institutionId: institutionId ?? null, search, sort: "name", pageSize: OFFERED };
  const { data, isPlaceholderData } = $api.useQuery(
    "get",
    "/api/customers",
    { params: { query } },
    {
      enabled: search.length >= LEAST && Boolean(institutionId),
      placeholderData: keepPreviousData,
    },
  );
  const isKnown = data !== undefined && !isPlaceholderData && search.length >= LEAST;
  return isKnown ? data.items : undefined;
}

/** The name of the customer with this address; undefined for a new one, and without a name. */
export function useCustomerName(address: string): string | undefined {
  const email = address.trim().toLowerCase();
  const name = useCustomers(address.trim())?.find((one) => one.email === email)?.name;
  return name?.toLowerCase() === email ? undefined : name;
}
