import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { useInstitution } from "../useInstitution";

export type Vendor = Schemas["Appearance"];

/** Whose portal it is: the one vendor behind the user's licenses; undefined with several or none. */
export function useVendor(): Vendor | undefined {
  const { profile } = useInstitution();
  const { data } = $api.useQuery(
    "get",
    "/api/portal/vendors",
    {},
    { enabled: profile?.emailVerified === true, staleTime: 300_000 },
  );
  return data?.vendors.length === 1 ? data.vendors[0] : undefined;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * How an institution presents itself to those who have not signed in: null while that is loaded,
 * undefined if it is not known or has set nothing.
 */
export function usePublicVendor(institutionId: string | null): Vendor | null | undefined {
  const { data, isLoading } = $api.useQuery(
    "get",
    "/api/portal/vendors/{institutionId}",
    { params: { path: { institutionId: institutionId ?? "" } } },
    { enabled: ID.test(institutionId ?? ""), retry: false, staleTime: 300_000 },
  );
  return isLoading ? null : data;
}
