import { $api } from "../../api/client";

/** A policy by its ID; disabled without one. */
export const usePolicy = (policyId: string | null) =>
  $api.useQuery(
    "get",
    "/api/policies/{policyId}",
    { params: { path: { policyId: policyId ?? "" } } },
    { enabled: policyId !== null, staleTime: 60_000 },
  );

/** The policies of a product; disabled without one. */
export const usePolicies = (productId: string | null) =>
  $api.useQuery(
    "get",
    "/api/policies",
    { params: { query: { productId, pageSize: 100, sort: "name" } } },
    { enabled: productId !== null },
  );

/** The ID of the product of an institution that has only one. */
export function useOnlyProduct(institutionId: string): string | null {
  const { data } = $api.useQuery("get", "/api/products", {
    params: { query: { institutionId, pageSize: 2 } },
  });
  return data?.items.length === 1 ? (data.items[0]?.id ?? null) : null;
}
