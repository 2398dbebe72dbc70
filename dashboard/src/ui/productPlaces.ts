import { $api } from "../api/client";
import { useInstitution, useIsShutOut } from "./useInstitution";

/** As many as the API gives at once. */
const KNOWN = 100;

/** The place of a product, by its name, among those of the institution by creation; undefined if it is none of the first. */
export function useProductPlace(name: string): { place: number | undefined; isLoading: boolean } {
  const { institutionId } = useInstitution();
  const isShutOut = useIsShutOut();
  const query = { institutionId: institutionId ?? null, sort: "createdAt", pageSize: KNOWN };
  const { data, isLoading } = $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { enabled: Boolean(institutionId) && !isShutOut, staleTime: 300_000 },
  );
  const place = data?.items.findIndex((product) => product.name === name) ?? -1;
  return { place: place < 0 ? undefined : place, isLoading };
}
