import { save } from "../api/client";

export type Cell = string | number | null;

/** A spreadsheet would run these as formulas; a leading quote makes them text. */
const FORMULA = /^[=+\-@\t\r]/;

function written(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as the text of a CSV file. */
const csvOf = (rows: Cell[][]): string =>
  rows.map((row) => `${row.map(written).join(",")}\r\n`).join("");

/** Downloads a table as a CSV file; the byte order mark tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, rows: Cell[][]): void {
  save(new Blob(["\uFEFF", csvOf(rows)], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
}
