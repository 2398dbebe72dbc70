import { plural, t } from "@lingui/core/macro";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { date } from "../../../ui/formats";

/** How long existing license files keep working without the server, as a sentence. */
export function useOfflineValidity(license: License): string {
  const { data: product } = $api.useQuery("get", "/api/products/{productId}", {
    params: { path: { productId: license.productId } },
  });
  const days = product?.settings.offlineFileLifetimeDays ?? null;
  const end = fileEnd(license);
  if (license.activationMode === "Online")
    return t`Existing files keep working offline only for the application's grace period, by default 7 days.`;
  if (days !== null)
    return plural(days, {
      other:
        "Existing files keep working offline until they must be refreshed, at most # days after they were created.",
    });
  if (end === null)
    return t`Existing files keep working offline indefinitely, because license files of this product never have to be refreshed.`;
  const day = date(end);
  return license.graceDays > 0
    ? t`Existing files keep working offline until the license ends, on ${day} with its grace.`
    : t`Existing files keep working offline until the license ends, on ${day}.`;
}

const DAY = 86_400_000;

/** The end of the term and of the grace after it, through which a license file holds. */
function fileEnd({ expirationDate, graceDays }: License): string | null {
  if (expirationDate === null) return null;
  return new Date(Date.parse(expirationDate) + graceDays * DAY).toISOString();
}
