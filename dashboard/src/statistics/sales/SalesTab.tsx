import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { type Column, FigureTable } from "../../ui/charts/FigureTable";
import { saveCsv } from "../../ui/csv";
import { money, number, utcMonth } from "../../ui/formats";
import { DownloadIcon } from "../../ui/icons";
import { netOf } from "../../ui/orders";
import { PageLink } from "../../ui/PageLink";
import { Section } from "../../ui/Section";
import { useInstitution } from "../../ui/useInstitution";
import { useFilters } from "../filters/useFilters";
import { TabContent } from "../TabContent";

type Sum = Schemas["SalesOfMonth" | "SalesOfProduct" | "SalesOfCustomer"];

const DAY_MS = 86_400_000;
const HEIGHT = 420;

/** The columns of all tables, after what the sums are of. */
const SUMS: Column<Sum>[] = [
  { label: t`Currency`, value: ({ currency }) => currency },
  {
    label: t`Orders`,
    value: ({ orders }) => orders,
    show: ({ orders }) => number(orders),
    isFigure: true,
  },
  {
    label: t`Paid`,
    value: ({ amount }) => amount,
    show: ({ amount, currency }) => money(amount, currency),
    isFigure: true,
  },
  {
    label: t`Refunded`,
    value: ({ refunded }) => refunded,
    show: ({ refunded, currency }) => (refunded ? money(refunded, currency) : "—"),
    isFigure: true,
  },
  {
    label: t`Net`,
    value: ({ net }) => net,
    show: ({ net, currency }) => money(net, currency),
    isFigure: true,
  },
];

interface SumsProps<T extends Sum> {
  title: string;
  of: Column<T>;
  rows: T[];
  name: string;
}

/** Sums in a table, to download as CSV. */
function Sums<T extends Sum>({ title, of, rows, name }: SumsProps<T>) {
  const columns: Column<T>[] = [of, ...SUMS];
  const save = () =>
    saveCsv(name, [
      columns.map(({ label }) => label),
      ...rows.map((row) => columns.map(({ value }) => value(row))),
    ]);
  return (
    <Section
      title={title}
      actions={
        <Button
          size="small"
          startIcon={<DownloadIcon />}
          aria-label={t`Download CSV: ${title}`}
          onClick={save}
        >
          {t`Download CSV`}
        </Button>
      }
    >
      <FigureTable label={title} columns={columns} rows={rows} height={HEIGHT} />
    </Section>
  );
}

/** What orders brought in: by month, product and customer. */
export function SalesTab() {
  const { institutionId } = useInstitution();
  const { filters } = useFilters();
  const { from, to, fault } = filters;
  const end = fault === null ? new Date(Date.parse(to) + DAY_MS).toISOString() : null;
  const asked = $api.useQuery(
    "get",
    "/api/statistics/sales",
    {
      params: {
        query: { institutionId: institutionId ?? null, from: `${from}T00:00:00Z`, to: end },
      },
    },
    {
      enabled: institutionId !== undefined && fault === null,
      placeholderData: keepPreviousData,
    },
  );
  const { data } = asked;
  const nets = data ? netOf(data.byMonth) : [];
  return (
    <TabContent
      asked={asked}
      figures={
        nets.length > 0
          ? nets.map(([currency, net]) => ({
              label: t`Net, ${currency}`,
              value: money(net, currency),
            }))
          : [{ label: t`Orders`, value: data ? 0 : undefined }]
      }
    >
      {data && nets.length === 0 && (
        <p>{t`No order of this period says what was paid. Test sales do not count.`}</p>
      )}
      {data && nets.length > 0 && (
        <>
          <Sums
            title={t`Sales by month`}
            name="sales-by-month"
            rows={data.byMonth}
            of={{
              label: t`Month`,
              value: ({ month }) => month,
              show: ({ month }) => utcMonth(`${month}-01`),
            }}
          />
          <Sums
            title={t`Sales by product`}
            name="sales-by-product"
            rows={data.byProduct}
            of={{
              label: t`Product`,
              value: ({ productName }) => productName,
              show: ({ productId, productName }) =>
                productId ? (
                  <PageLink to={`/products/${productId}`}>{productName}</PageLink>
                ) : (
                  t`Several or none`
                ),
            }}
          />
          <Sums
            title={t`Sales by customer`}
            name="sales-by-customer"
            rows={data.byCustomer}
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
