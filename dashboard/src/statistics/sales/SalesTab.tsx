import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { money } from "../../ui/formats";
import { Muted } from "../../ui/Muted";
import { netOf } from "../../ui/orders";
import { PageLink } from "../../ui/PageLink";
import { useInstitution } from "../../ui/useInstitution";
import { useUrlParams } from "../../ui/useUrlParams";
import { useFilters } from "../filters/useFilters";
import { TabContent } from "../TabContent";
import { MonthChart } from "./MonthChart";
import { columnsOf, Sums } from "./Sums";

const DAY_MS = 86_400_000;

/** What orders brought in from one instant to another, of the product that is chosen. */
function useSales(from: number, to: number) {
  const { institutionId } = useInstitution();
  const { productId, fault } = useFilters().filters;
  const span =
    fault === null ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() } : {};
  return $api.useQuery(
    "get",
    "/api/statistics/sales",
    { params: { query: { institutionId: institutionId ?? null, productId, ...span } } },
    {
      enabled: institutionId !== undefined && fault === null,
      placeholderData: keepPreviousData,
    },
  );
}

/** What orders brought in: by month, product and customer, one currency at a time. */
export function SalesTab() {
  const { from, to, productId } = useFilters().filters;
  const { params, change } = useUrlParams();
  const [start, end] = [Date.parse(from), Date.parse(to) + DAY_MS];
  const asked = useSales(start, end);
  const before = useSales(start - (end - start), start);
  const { data } = asked;
  const nets = new Map(netOf(data?.byMonth ?? []));
  const past =
    before.data && !before.isPlaceholderData ? new Map(netOf(before.data.byMonth)) : undefined;
  const currencies = [...nets.keys()];
  const currency = currencies.find((one) => one === params.get("currency")) ?? currencies[0];
  const columns = columnsOf(data?.byMonth.filter((row) => row.currency === currency) ?? []);
  return (
    <TabContent
      asked={asked}
      figures={
        nets.size > 0
          ? [...nets].map(([of, net]) => ({
              label: t`Net, ${{ currency: of }}`,
              value: net,
              previous: past && (past.get(of) ?? 0),
              show: (amount: number) => money(amount, of),
              wanted: "more" as const,
            }))
          : [{ label: t`Orders`, value: data ? 0 : undefined }]
      }
    >
      {data && currency === undefined && (
        <p>{t`No order of this period says what was paid. Test sales do not count.`}</p>
      )}
      {data && currency !== undefined && (
        <>
          {currencies.length > 1 && (
            <ToggleButtonGroup
              exclusive
              aria-label={t`Currency`}
              value={currency}
              onChange={(_, chosen: string | null) => {
                if (chosen) change({ currency: chosen });
              }}
            >
              {currencies.map((one) => (
                <ToggleButton key={one} value={one}>
                  {one}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          )}
          {productId !== null && (
            <Muted>{t`Only orders of this product alone. Orders of several products are left out.`}</Muted>
          )}
          <MonthChart rows={data.byMonth} currency={currency} from={from} to={to} />
          <Sums
            title={t`Sales by product`}
            name="sales-by-product"
            rows={data.byProduct}
            currency={currency}
            columns={columns}
            of={{
              label: t`Product`,
              value: ({ productName }) => productName,
              show: ({ productId, productName }) =>
                productId ? (
                  <PageLink to={`/products/${productId}`}>{productName}</PageLink>
                ) : (
                  t`Several products or no rule`
                ),
            }}
          />
          <Sums
            title={t`Sales by customer`}
            name="sales-by-customer"
            rows={data.byCustomer}
            currency={currency}
            columns={columns}
            of={{
              label: t`Customer`,
              value: ({ customerName }) => customerName,
              show: ({ customerId, customerName }) => (
                <PageLink to={`/customers/${customerId}`}>{customerName}</PageLink>
              ),
            }}
          />
        </>
      )}
    </TabContent>
  );
}
