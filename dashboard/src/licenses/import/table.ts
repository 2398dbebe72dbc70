import { t } from "@lingui/core/macro";
import Papa from "papaparse";

/** A file as a table: the names of its columns, and its rows. */
export interface ImportTable {
  file: string;
  names: string[];
  rows: string[][];
}

/** What a column of the file becomes; the empty text leaves it out. */
export type Mapping = readonly string[];

const MAX_BYTES = 20_000_000;

/** The fields of a license that a column can become, and their labels. */
export const importFields = (): readonly (readonly [name: string, label: string])[] => [
  ["licenseKey", t`License key`],
  ["licenseName", t`License name`],
  ["issuedTo", t`Issued to`],
  ["type", t`Model`],
  ["status", t`Status`],
  ["expirationDate", t`Expiration date`],
  ["updatesUntil", t`Updates until`],
  ["maxActiveUsersCount", t`Seats`],
  ["devices", t`Devices`],
  ["tags", t`Tags`],
  ["notes", t`Notes`],
];

/** Other names that files have for a field, without spaces and dashes. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  key: "licenseKey",
  license: "licenseKey",
  serial: "licenseKey",
  name: "licenseName",
  email: "issuedTo",
  customer: "issuedTo",
  customeremail: "issuedTo",
  model: "type",
  expires: "expirationDate",
  expiry: "expirationDate",
  expiresat: "expirationDate",
  seats: "maxActiveUsersCount",
  maxmachines: "maxActiveUsersCount",
  hardwareids: "devices",
  note: "notes",
};

const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]/g, "");

export const METADATA = "metadata.";

/** What the columns of these names probably become, no two of them the same. */
export function suggested(names: readonly string[]): Mapping {
  const known = new Map(importFields().map(([name]) => [plain(name), name]));
  const taken = new Set<string>();
  return names.map((name) => {
    const isPair = name.toLowerCase().startsWith(METADATA);
    const field = isPair ? name : (known.get(plain(name)) ?? OTHER_NAMES[plain(name)] ?? "");
    if (taken.has(field)) return "";
    taken.add(field);
    return field;
  });
}

/** Reads a CSV file; it guesses what separates the cells. */
export async function readTable(file: File): Promise<ImportTable> {
  if (/\.(xlsx?|ods|numbers)$/i.test(file.name))
    throw new Error(t`This is a workbook. Save it as CSV in UTF-8.`);
  if (file.size > MAX_BYTES)
    throw new Error(
      t`The file is larger than 20 MB. Import it in parts, or with the command licet-server import.`,
    );
  const read = await new Promise<string[][]>((resolve, reject) => {
    Papa.parse<string[]>(file, { complete: ({ data }) => resolve(data), error: reject });
  });
  const [names = [], ...rows] = read[0]?.[0]?.startsWith("sep=") ? read.slice(1) : read;
  const last = rows.findLastIndex((row) => row.some((cell) => cell !== ""));
  if (last < 0) throw new Error(t`The file has no rows below the names of its columns.`);
  return { file: file.name, names, rows: rows.slice(0, last + 1) };
}

/** Rows for one request. */
export interface Part {
  columns: string[];
  rows: string[][];
  firstLine: number;
}

const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 250_000;

const lengthOf = (row: string[]) => row.reduce((sum, cell) => sum + cell.length, 0);

/** The rows in parts that each fit a request, with the columns that become something. */
export function partsOf({ rows }: ImportTable, mapping: Mapping): Part[] {
  const used = [...mapping.keys()].filter((at) => mapping[at] !== "");
  const columns = used.map((at) => mapping[at] ?? "");
  const parts: Part[] = [];
  let size = 0;
  rows.forEach((row, at) => {
    const cells = used.map((from) => row[from] ?? "");
    size += lengthOf(cells);
    const part = parts.at(-1);
    if (part && part.rows.length < ROWS_AT_ONCE && size <= CHARACTERS_AT_ONCE)
      part.rows.push(cells);
    else {
      // The first line of a file names the columns.
      parts.push({ columns, rows: [cells], firstLine: at + 2 });
      size = lengthOf(cells);
    }
  });
  return parts;
}
