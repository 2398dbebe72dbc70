import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { Column } from "../../ui/charts/FigureTable";
import { saveCsv } from "../../ui/csv";
import { DownloadIcon } from "../../ui/icons";

interface DownloadTableProps<T> {
  /** Of the file. */
  name: string;
  /** Of the section that shows the table. */
  title: string;
  label?: string;
  columns: Column<T>[];
  rows: readonly T[];
}

/** Downloads the rows of a table, each with all columns. */
export const DownloadTable = <T,>({ name, title, label, columns, rows }: DownloadTableProps<T>) => (
  <Button
    size="small"
    startIcon={<DownloadIcon />}
    aria-label={t`Download CSV: ${title}`}
    onClick={() =>
      saveCsv(name, [
        columns.map(({ label }) => label),
        ...rows.map((row) => columns.map(({ value }) => value(row))),
      ])
    }
  >
    {label ?? t`Download CSV`}
  </Button>
);
