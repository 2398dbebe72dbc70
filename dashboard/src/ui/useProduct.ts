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

/** The ID of the only product of the institution; null with several or none, undefined until known. */
export function useOnlyProduct(isAsked: boolean): string | null | undefined {
  const { institutionId } = useInstitution();
  // The first page of a `ProductPicker`, so that one request answers both.
  const query = { institutionId: institutionId ?? null, search: "", sort: "name", pageSize: 25 };
  const { data, isLoading } = $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { enabled: isAsked && institutionId !== undefined },
  );
  if (isLoading) return undefined;
  return (data?.totalCount === 1 && data.items[0]?.id) || null;
}
