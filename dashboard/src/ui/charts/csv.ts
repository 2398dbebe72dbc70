import { save } from "../../api/client";

export type Cell = string | number | null;

/** What a spreadsheet would run; a quote in front makes it text. */
const FORMULA = /^[=+\-@\t\r]/;

function written(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as the text of a CSV file. */
export const csvOf = (rows: Cell[][]): string =>
  rows.map((row) => `${row.map(written).join(",")}\r\n`).join("");

/** Hands a table to the browser as a file; the mark in front tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, rows: Cell[][]): void {
  save(new Blob(["\uFEFF", csvOf(rows)], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
}
