import { $api } from "../api/client";

/** A product by its id; asks nothing while there is none. */
export const useProduct = (productId: string | null | undefined) =>
  $api.useQuery(
    "get",
    "/api/products/{productId}",
    { params: { path: { productId: productId ?? "" } } },
    { enabled: Boolean(productId), staleTime: 30_000 },
  );
