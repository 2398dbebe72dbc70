import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { useState } from "react";
import { Link } from "react-router";
import { DaySection } from "../ui/charts/DaySection";
import { Ranking } from "../ui/charts/Ranking";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { EmptyState } from "../ui/EmptyState";
import { LicenseIcon } from "../ui/icons";
import { KeyFigure } from "../ui/KeyFigure";
import { Pager } from "../ui/list/Pager";
import { type List, ListContext } from "../ui/list/useList";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import type { Column } from "../ui/table/Row";
import { useSelection } from "../ui/table/selection/useSelection";
import { Table } from "../ui/table/Table";
import styles from "./gallery.module.css";
import { Part } from "./Part";

interface Example {
  id: string;
  name: string;
  product: string;
  status: string;
  seats: string;
}

const EXAMPLES: Example[] = [
  { id: "1", name: "Render farm", product: "Aurora Studio", status: "Active", seats: "3 of 10" },
  { id: "2", name: "Design team", product: "Aurora Studio", status: "Suspended", seats: "5 of 5" },
  { id: "3", name: "Asa Berg", product: "Aurora Studio", status: "Expired", seats: "—" },
  { id: "4", name: "Workstation 7", product: "Borealis", status: "Revoked", seats: "—" },
];

const COLUMNS: Column<Example>[] = [
  {
    key: "name",
    label: "License",
    sort: "name",
    cell: ({ name }) => <Link to="/ui">{name}</Link>,
  },
  { key: "product", label: "Product" },
  { key: "status", label: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { key: "seats", label: "Seats", align: "end" },
];

const nothing = () => undefined;

/** A list without a server. */
function useExamples(items: Example[] | undefined): List<unknown> {
  const [sort, setSort] = useState("name");
  return {
    items,
    total: items && 312,
    isCapped: false,
    error: null,
    refetch: nothing,
    matching: "",
    countOf: () => ({ queryKey: [], queryFn: () => Promise.reject(new Error()) }),
    views: undefined,
    usualSort: "name",
    fetchUpTo: () => Promise.resolve([]),
    isStale: false,
    filters: {},
    setFilters: nothing,
    clearFilters: nothing,
    show: nothing,
    sort,
    setSort,
    page: 1,
    setPage: nothing,
    pageSize: 25,
    setPageSize: nothing,
  };
}

/** Tables: with rows, while loading, and with nothing. */
export function Lists() {
  const list = useExamples(EXAMPLES);
  const loading = useExamples(undefined);
  const selection = useSelection<Example>("", ({ name }) => name);
  return (
    <>
      <Part title="Table" isStacked>
        <ListContext value={list}>
          <Card>
            <Table label="Examples" columns={COLUMNS} selection={selection} link={() => "/ui"} />
          </Card>
          <Pager />
        </ListContext>
      </Part>
      <Part title="Table while loading" isStacked>
        <ListContext value={{ ...loading, pageSize: 2 }}>
          <Card>
            <Table label="Loading examples" columns={COLUMNS} />
          </Card>
        </ListContext>
      </Part>
      <Part title="Empty" isStacked>
        <Card>
          <EmptyState
            icon={<LicenseIcon />}
            title="No licenses yet"
            action={<Button variant="contained">Issue your first license</Button>}
          >
            A license is what a customer buys: a license key and a signed file.
          </EmptyState>
        </Card>
      </Part>
    </>
  );
}

const DAYS = Array.from({ length: 30 }, (_, place) => ({
  date: new Date(Date.UTC(2026, 9, 24 + place)).toISOString().slice(0, 10),
  peak: 2 + ((place * 7) % 6),
}));

/** Figures, facts and charts. */
export const Figures = () => (
  <>
    <Part title="Key figures">
      <div className={styles.fields}>
        <KeyFigure label="Active licenses" value={1284} to="/ui" />
        <KeyFigure label="Live sessions" value={37} hint="Now" />
        <KeyFigure label="Loading" value={undefined} />
      </div>
    </Part>
    <Part title="Facts" isStacked>
      <Section title="License" help="models">
        <CopyField label="License key" value="DARKB-N4C9M-58E2P-VT1QP-Y02R0" />
        <DescriptionList
          facts={[
            ["Release", "3.0.0"],
            ["Issued to", "asa.berg@example.com"],
            ["Expires", "Never"],
            ["Issuer", null],
          ]}
        />
      </Section>
    </Part>
    <Part title="Charts" isStacked>
      <DaySection
        title="Peak concurrent sessions"
        days={DAYS}
        series={[{ label: "Sessions", value: (day) => day.peak }]}
        empty="No sessions in this period."
        name="peaks"
      />
      <Section title="Licenses with the most live sessions">
        <Ranking
          ranks={[
            { key: "1", label: "Render farm", value: 3, whole: 10, of: "of 10", to: "/ui" },
            { key: "2", label: "Design team", value: 5, whole: 5, of: "of 5", to: "/ui" },
          ]}
        />
      </Section>
    </Part>
  </>
);
