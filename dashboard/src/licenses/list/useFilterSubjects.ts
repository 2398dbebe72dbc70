import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Filters } from "../../ui/list/useList";
import { useProduct } from "../../ui/useProduct";
import type { FilterSubjects } from "./filterKinds";

interface Asked {
  data?: { name: string } | undefined;
  isError: boolean;
}

const nameOf = ({ data, isError }: Asked) => data?.name ?? (isError ? t`deleted` : "…");

/** The names of the product, policy and customer that the list is filtered by. */
export function useFilterSubjects(filters: Filters): FilterSubjects {
  const { productId, policyId = "", customerId = "" } = filters;
  const product = useProduct(productId);
  const policy = $api.useQuery(
    "get",
    "/api/policies/{policyId}",
    { params: { path: { policyId } } },
    { enabled: policyId !== "" },
  );
  const customer = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    { params: { path: { customerId } } },
    { enabled: customerId !== "" },
  );
  return { productId: nameOf(product), policyId: nameOf(policy), customerId: nameOf(customer) };
}
