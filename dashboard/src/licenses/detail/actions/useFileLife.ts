import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { date, number } from "../../../ui/formats";

/** How long files that customers have go on working without the server, in words. */
export function useFileLife(license: License): string {
  const { data: product } = $api.useQuery("get", "/api/products/{productId}", {
    params: { path: { productId: license.productId } },
  });
  const days = product?.settings.offlineFileLifetimeDays ?? null;
  const end = license.expirationDate;
  if (license.activationMode === "Online")
    return "only for the grace period of the application, 7 days unless it sets another";
  if (days !== null)
    return `until they must be refreshed, ${number(days)} days after each was made at the latest`;
  if (end !== null) return `until the end of the term that they name, now ${date(end)}`;
  return "for good, since files of this product name no date by which they must be refreshed";
}
