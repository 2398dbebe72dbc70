import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../api/types";
import { type Column, FigureTable } from "../../ui/charts/FigureTable";
import { money, number } from "../../ui/formats";
import { PageLink } from "../../ui/PageLink";
import { Section } from "../../ui/Section";
import { DownloadTable } from "./DownloadTable";

export type Sum = Schemas["SalesOfMonth" | "SalesOfProduct" | "SalesOfCustomer"];

const CURRENCY = t`Currency`;
const RENEWALS = t`Of that, renewals`;
const REFUNDED = t`Refunded`;

/** The columns of all tables of sums, after what they are of; orders lead to where their list is. */
export const sumsOf = <T extends Sum>(listOf?: (row: T) => string | null): Column<T>[] => [
  { label: CURRENCY, value: ({ currency }) => currency },
  {
    label: t`Orders`,
    value: ({ orders }) => orders,
    show: (row) => {
      const to = listOf?.(row) ?? null;
      return to === null || row.orders === 0 ? (
        number(row.orders)
      ) : (
        <PageLink to={to}>{number(row.orders)}</PageLink>
      );
    },
    isFigure: true,
  },
  {
    label: t`Paid`,
    value: ({ amount }) => amount,
    show: ({ amount, currency }) => money(amount, currency),
    isFigure: true,
  },
  {
    label: RENEWALS,
    value: ({ renewals }) => renewals,
    show: ({ renewals, currency }) => (renewals ? money(renewals, currency) : "—"),
    isFigure: true,
  },
  {
    label: REFUNDED,
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

/** The columns that would say nothing of these sums of one currency: they would have dashes alone. */
export const emptyColumns = (rows: Sum[]): ReadonlySet<string> =>
  new Set([
    CURRENCY,
    ...(rows.some(({ renewals }) => renewals !== 0) ? [] : [RENEWALS]),
    ...(rows.some(({ refunded }) => refunded !== 0) ? [] : [REFUNDED]),
  ]);

const AT_FIRST = 10;

interface SumsProps<T extends Sum> {
  title: string;
  of: Column<T>;
  rows: T[];
  /** The currency that is shown; the file has all of them. */
  currency: string;
  /** What is not shown, the same in each table of the page. */
  left: ReadonlySet<string>;
  /** Where the orders of a row are listed; null if no filter lists them. */
  listOf?: (row: T) => string | null;
  /** Another file, beside that of the table. */
  also?: ReactNode;
  name: string;
}

/** The largest sums of a currency in a table, to download as CSV. */
export function Sums<T extends Sum>(props: SumsProps<T>) {
  const { title, of, rows, currency, left, listOf, also, name } = props;
  const [isWhole, setWhole] = useState(false);
  const saved = [of, ...sumsOf(listOf)];
  const own = rows.filter((row) => row.currency === currency);
  return (
    <Section
      title={title}
      actions={
        <>
          {also}
          <DownloadTable name={name} title={title} columns={saved} rows={rows} />
        </>
      }
    >
      <FigureTable
        label={title}
        columns={saved.filter(({ label }) => !left.has(label))}
        isEven
        rows={isWhole ? own : own.slice(0, AT_FIRST)}
      />
      {own.length > AT_FIRST && !isWhole && (
        <Button size="small" onClick={() => setWhole(true)}>
          {plural(own.length, { other: "Show all #" })}
        </Button>
      )}
    </Section>
  );
}
