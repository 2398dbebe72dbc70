import { plural, t } from "@lingui/core/macro";
import type { CSSProperties } from "react";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { type Column, FigureTable } from "../../ui/charts/FigureTable";
import { number, utcMonth, wholePercent } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useCurrentQuery } from "../filters/useFilters";
import { DownloadTable } from "./DownloadTable";
import styles from "./sales.module.css";

const FRESH_MS = 600_000;

type Month = Schemas["CustomersOfMonth"];

/** How many customers renewed within some months; null as long as these are not over. */
const withinOf = ({ within }: Month, months: number) =>
  within.find((item) => item.months === months)?.customers ?? null;

/** A part of the customers, the darker the larger it is. */
const Part = ({ of, customers }: { of: number; customers: number }) => (
  <span
    className={styles.part}
    style={{ "--part": `${String(Math.round((of / customers) * 40))}%` } as CSSProperties}
    title={t`${{ renewed: number(of) }} of ${{ customers: number(customers) }}`}
  >
    {wholePercent(of / customers)}
  </span>
);

/** Who pays again: of the customers who bought first in a month, those who have renewed. */
export function RetentionSection() {
  const [asked, options] = useCurrentQuery();
  const { data, error } = $api.useQuery("get", "/api/statistics/retention", asked, {
    ...options,
    // It is about months, and takes seconds with hundreds of thousands of customers.
    refetchInterval: false,
    staleTime: FRESH_MS,
  });
  const title = t`Customers who renewed, by month of first purchase`;
  if (error) return <ProblemAlert error={error} />;
  const months = data?.months ?? [];
  if (!months.some(({ renewed }) => renewed > 0)) return null;
  const windows = [
    // Where all terms are of a year, nobody renews within some months.
    ...new Set(
      months.flatMap(({ within }) =>
        within.filter((item) => item.customers > 0).map((item) => item.months),
      ),
    ),
  ].toSorted((one, other) => one - other);
  // Until a term can have ended, nobody says no.
  const decided = months.filter(
    (row) => row.renewed > 0 || windows.some((window) => withinOf(row, window) !== null),
  );
  const columns: Column<Month>[] = [
    {
      label: t`First purchase`,
      value: ({ month }) => month,
      show: ({ month }) => utcMonth(`${month}-01`),
    },
    { label: t`Customers`, value: ({ customers }) => customers, isFigure: true },
    ...windows.map((window): Column<Month> => ({
      label: plural({ count: window }, { one: "Within # month", other: "Within # months" }),
      value: (row) => withinOf(row, window),
      show: (row) => {
        const renewed = withinOf(row, window);
        return renewed !== null && <Part of={renewed} customers={row.customers} />;
      },
      isFigure: true,
    })),
    {
      label: t`Until now`,
      value: ({ renewed }) => renewed,
      show: (row) => <Part of={row.renewed} customers={row.customers} />,
      isFigure: true,
    },
  ];
  return (
    <Section
      title={title}
      subtitle={t`Of the last two years, the months whose terms can have ended, whatever period is chosen. An empty field is not over yet.`}
      actions={
        <DownloadTable name="customers-who-renewed" title={title} columns={columns} rows={months} />
      }
    >
      <FigureTable label={title} columns={columns} rows={decided.toReversed()} />
    </Section>
  );
}
