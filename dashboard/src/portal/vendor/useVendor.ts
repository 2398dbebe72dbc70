import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";

export type Vendor = Schemas["Appearance"];

/** Whose portal it is: the one vendor behind the user's licenses; undefined with several or none. */
export function useVendor(): Vendor | undefined {
  const { data } = $api.useQuery("get", "/api/portal/vendors", {}, { staleTime: 300_000 });
  return data?.vendors.length === 1 ? data.vendors[0] : undefined;
}
