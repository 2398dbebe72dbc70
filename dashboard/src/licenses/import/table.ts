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
  const known = new Map(
    importFields().flatMap(([name, label]) => [
      [plain(label), name],
      [plain(name), name],
    ]),
  );
  const taken = new Set<string>();
  return names.map((name) => {
    const isPair = name.toLowerCase().startsWith(METADATA);
    const field = isPair ? name : (known.get(plain(name)) ?? OTHER_NAMES[plain(name)] ?? "");
    if (taken.has(field)) return "";
    taken.add(field);
    return field;
  });
}

/** What a field is called on the page, where the server's reason begins with its name. */
export function inWords(reason: string): string {
  const [, label] = importFields().find(([name]) => reason.startsWith(`${name} `)) ?? [];
  return label === undefined ? reason : reason.replace(/^\w+/, label);
}

const CONTROL = /[^\P{Cc}\t\r\n]/u;

/** The text of a file: UTF-8, UTF-16 with its mark, or what Excel writes on Windows in the West. */
function textOf(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const mark = (first ?? 0) * 256 + (second ?? 0);
  if (mark === 0xfffe || mark === 0xfeff)
    return new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Reads a CSV file; it guesses what separates the cells. */
export async function readTable(file: File): Promise<ImportTable> {
  if (/\.(xlsx?|ods|numbers)$/i.test(file.name))
    throw new Error(t`This is a workbook. Save it as CSV in UTF-8.`);
  if (file.size > MAX_BYTES)
    throw new Error(
      t`The file is larger than 20 MB. Import it in parts, or with the command licet-server import.`,
    );
  const text = textOf(await file.arrayBuffer());
  if (CONTROL.test(text)) throw new Error(t`This is not a text file. Choose a CSV file.`);
  // An empty last row would mislead the guess in a short file.
  const { data: read, errors } = Papa.parse<string[]>(text.replace(/[\r\n]+$/, ""));
  const open = errors.find(({ code }) => code === "MissingQuotes");
  if (open)
    throw new Error(
      t`The quotation mark in row ${{ line: (open.row ?? 0) + 1 }} is never closed, so the rows after it cannot be read. Correct the file, and choose it again.`,
    );
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
