import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { date, number } from "../../../ui/formats";

/** How long existing license files keep working without the server, in words. */
export function useOfflineValidity(license: License): string {
  const { data: product } = $api.useQuery("get", "/api/products/{productId}", {
    params: { path: { productId: license.productId } },
  });
  const days = product?.settings.offlineFileLifetimeDays ?? null;
  const end = license.expirationDate;
  if (license.activationMode === "Online")
    return "only for the application's grace period, by default 7 days";
  if (days !== null)
    return `until they must be refreshed, at most ${number(days)} days after they were created`;
  if (end !== null) return `until their expiration date, currently ${date(end)}`;
  return "indefinitely, because license files of this product never have to be refreshed";
}
