import { $api } from "../../api/client";
import type { License, Schemas } from "../../api/types";

export type Order = Schemas["Order"];

/** The latest order that the license came of; undefined without one and until it is known. */
export function useOrder({ id, institutionId, customerId }: License): Order | undefined {
  const query = { institutionId, licenseId: id, pageSize: 1, sort: "-createdAt" };
  const { data } = $api.useQuery(
    "get",
    "/api/orders",
    { params: { query } },
    { enabled: customerId !== null },
  );
  return data?.items[0];
}
