import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { useCan } from "../../ui/useInstitution";
import { useLicenseList } from "./useLicenseList";

/**
 * The name of a customer of the page, once all of the page are known by one request; Members see no
 * customers.
 */
export function useCustomerName(customerId: string | null) {
  const { items = [] } = useLicenseList();
  const { isSystemAdmin, role } = useCan();
  const id = [...new Set(items.flatMap((license) => license.customerId ?? []))].sort();
  const isAsked = id.length > 0 && (isSystemAdmin || role !== "Member");
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/customers",
    { params: { query: { id, pageSize: 100 } } },
    { enabled: isAsked, staleTime: 60_000, placeholderData: keepPreviousData },
  );
  const name = data?.items.find((customer) => customer.id === customerId)?.name;
  return { name, isLoading: customerId !== null && isFetching && name === undefined };
}
