import { $api, at } from "../api/client";
import { useInstitution } from "./useInstitution";

/** A product by ID; disabled while the ID is empty. */
export const useProduct = (productId: string | null | undefined) =>
  $api.useQuery("get", "/api/products/{productId}", at({ productId: productId ?? "" }), {
    enabled: Boolean(productId),
    staleTime: 30_000,
  });

/** A policy by ID; disabled while the ID is empty. */
export const usePolicy = (policyId: string | null | undefined) =>
  $api.useQuery("get", "/api/policies/{policyId}", at({ policyId: policyId ?? "" }), {
    enabled: Boolean(policyId),
  });

/** A customer by ID; disabled while the ID is empty. */
export const useCustomerOf = (customerId: string | null | undefined) =>
  $api.useQuery("get", "/api/customers/{customerId}", at({ customerId: customerId ?? "" }), {
    enabled: Boolean(customerId),
    staleTime: 30_000,
  });

/** The products of the institution that a `ProductPicker` shows first. */
function useFirstProducts(isAsked: boolean) {
  const { institutionId } = useInstitution();
  // The first page of a `ProductPicker`, so that one request answers both.
  const query = { institutionId: institutionId ?? null, search: "", sort: "name", pageSize: 25 };
  return $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { enabled: isAsked && institutionId !== undefined },
  );
}

/** Whether the institution has no product at all. */
export const useHasNoProduct = (isAsked: boolean): boolean =>
  useFirstProducts(isAsked).data?.totalCount === 0;

/** The ID of the only product of the institution; null with several or none, undefined until known. */
export function useOnlyProduct(isAsked: boolean): string | null | undefined {
  const { data, isLoading } = useFirstProducts(isAsked);
  if (isLoading) return undefined;
  return (data?.totalCount === 1 && data.items[0]?.id) || null;
}
