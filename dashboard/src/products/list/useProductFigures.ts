import { $api } from "../../api/client";
import { money } from "../../ui/formats";
import { netOf } from "../../ui/orders";
import { useCan } from "../../ui/useInstitution";

/**
 * The active licenses of each product, and what it brought in during the last 30 days; undefined for
 * Members, who see no statistics, and until they are known.
 */
export function useProductFigures(institutionId: string | undefined) {
  const { role, isSystemAdmin } = useCan();
  const enabled = institutionId !== undefined && (isSystemAdmin || role !== "Member");
  // Without a period, the API takes the last 30 days.
  const asked = { params: { query: { institutionId: institutionId ?? null } } };
  const licenses = $api.useQuery("get", "/api/statistics/licenses", asked, { enabled });
  const sales = $api.useQuery("get", "/api/statistics/sales", asked, { enabled });
  const active = licenses.data?.byProduct;
  const sold = sales.data?.byProduct;
  return {
    activeOf: active && ((id: string) => active.find((it) => it.productId === id)?.active ?? 0),
    salesOf:
      sold &&
      ((id: string) =>
        netOf(sold.filter(({ productId }) => productId === id)).map(([currency, net]) =>
          // A large amount without its cents.
          money(net, currency, net >= 100 ? 0 : undefined),
        )),
  };
}
