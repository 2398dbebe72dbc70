import { $api, at } from "../api/client";

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
