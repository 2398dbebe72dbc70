import { $api } from "../api/client";

/** A product by ID; disabled while the ID is empty. */
export const useProduct = (productId: string | null | undefined) =>
  $api.useQuery(
    "get",
    "/api/products/{productId}",
    { params: { path: { productId: productId ?? "" } } },
    { enabled: Boolean(productId), staleTime: 30_000 },
  );
