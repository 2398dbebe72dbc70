import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { EmptyState } from "../../ui/EmptyState";
import { list, money } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { netOf } from "../../ui/orders";
import { ButtonLink, PageLink } from "../../ui/PageLink";
import { orderListPath } from "../../ui/paths";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useUrlParams } from "../../ui/useUrlParams";
import { useFilters } from "../filters/useFilters";
import { TabContent } from "../TabContent";
import { DownloadTable } from "./DownloadTable";
import { MonthChart } from "./MonthChart";
import { RetentionSection } from "./RetentionSection";
import { emptyColumns, type Sum, Sums, sumsOf } from "./Sums";

const DAY_MS = 86_400_000;

interface Figure {
  label: string;
  of: (sum: Sum) => number;
  wanted: "more" | "less";
}

const FIGURES: Figure[] = [
  { label: t`New sales`, of: ({ amount, renewals }) => amount - renewals, wanted: "more" },
  { label: t`Renewals`, of: ({ renewals }) => renewals, wanted: "more" },
  { label: t`Refunded`, of: ({ refunded }) => refunded, wanted: "less" },
  { label: t`Net`, of: ({ net }) => net, wanted: "more" },
];

/** Sums of one currency together; what is less than a millionth is an error of fractions. */
const totalOf = (sums: Sum[], of: Figure["of"]) =>
  Math.round(sums.reduce((total, sum) => total + of(sum), 0) * 1e6) / 1e6;

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
  const nets = netOf(data?.byMonth ?? []);
  const currencies = nets.map(([of]) => of);
  const currency = currencies.find((one) => one === params.get("currency")) ?? currencies[0];
  const own = data?.byMonth.filter((row) => row.currency === currency) ?? [];
  const past =
    before.data && !before.isPlaceholderData
      ? before.data.byMonth.filter((row) => row.currency === currency)
      : undefined;
  const left = emptyColumns(own);
  const others = nets.filter(([of]) => of !== currency);
  return (
    <TabContent
      asked={asked}
      before={
        currencies.length > 1 && (
          <Row gap="m" wraps>
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
            <Muted>
              {t`Other currencies, net: ${{ amounts: list(others.map(([of, net]) => money(net, of))) }}`}
            </Muted>
          </Row>
        )
      }
      figures={
        currency === undefined
          ? data
            ? []
            : FIGURES.map(({ label }) => ({ label, value: undefined }))
          : FIGURES.map(({ label, of, wanted }) => ({
              label,
              value: totalOf(own, of),
              previous: past && totalOf(past, of),
              show: (amount: number) => money(amount, currency),
              wanted,
            }))
      }
    >
      {data && currency === undefined && <NoSales />}
      {data && currency !== undefined && (
        <>
          {productId !== null && (
            <Muted>{t`Only orders of this product alone. Orders of several products are left out.`}</Muted>
          )}
          <MonthChart
            rows={data.byMonth}
            currency={currency}
            from={from}
            to={to}
            productId={productId}
          />
          <Sums
            title={t`Sales by product`}
            name="sales-by-product"
            listOf={(row) =>
              row.productId === null
                ? null
                : orderListPath({ from, to, paidIn: row.currency, productId: row.productId })
            }
            rows={data.byProduct}
            also={
              <DownloadTable
                name="sales-by-month-and-product"
                title={t`Sales by month and product`}
                label={t`CSV by month`}
                columns={[
                  { label: t`Month`, value: ({ month }) => month },
                  { label: t`Product`, value: ({ productName }) => productName },
                  ...sumsOf<Schemas["SalesOfMonthAndProduct"]>(),
                ]}
                rows={data.byMonthAndProduct}
              />
            }
            currency={currency}
            left={left}
            of={{
              label: t`Product`,
              value: ({ productName }) => productName,
              show: ({ productId, productName }) =>
                productId ? (
                  <PageLink to={`/products/${productId}`}>{productName}</PageLink>
                ) : (
                  t`Other`
                ),
            }}
          />
          <Sums
            title={t`Sales by customer`}
            name="sales-by-customer"
            listOf={({ customerId, currency: paidIn }) =>
              orderListPath({ from, to, paidIn, customerId, productId })
            }
            rows={data.byCustomer}
            currency={currency}
            left={left}
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
      <RetentionSection />
    </TabContent>
  );
}

/** That nothing was sold in the period, or that no shop is connected that could have told of it. */
function NoSales() {
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const query = { institutionId: institutionId ?? null, pageSize: 1 };
  const { data, isLoading } = $api.useQuery(
    "get",
    "/api/connectors",
    { params: { query } },
    { enabled: manage },
  );
  if (isLoading) return null;
  if (data?.totalCount === 0)
    return (
      <EmptyState
        title={t`No sales yet`}
        action={
          <ButtonLink to="/connectors/new" variant="contained">
            {t`Connect a shop`}
          </ButtonLink>
        }
      >
        {t`Connect your shop, and its sales appear here by month, product and customer.`}
      </EmptyState>
    );
  return (
    <EmptyState title={t`No sales in this period`}>
      {t`No order of this period says what was paid. Test sales do not count.`}
    </EmptyState>
  );
}
