/** The table in which the firmware of a PC describes it (SMBIOS), as Windows keeps it. */

/** Bytes that Windows puts before the table. */
const HEADER = 8;
const SYSTEM = 1;
const UUID = [8, 24] as const;

/** The UUID of the board in the registry value `SMBiosData`, both as hex digits; `null` without one. */
export function findBoard(raw: string | null): string | null {
  if (raw === null || !/^(?:[0-9a-f]{2})+$/i.test(raw)) return null;
  let table = Buffer.from(raw, "hex").subarray(HEADER);
  while (table.length >= 4) {
    const [kind, length] = table as unknown as readonly [number, number];
    if (length < 4) return null;
    if (kind === SYSTEM && UUID[1] <= Math.min(length, table.length)) {
      return table.toString("hex", ...UUID);
    }
    const end = table.indexOf("\0\0", length, "latin1");
    if (end < 0) return null;
    table = table.subarray(end + 2);
  }
  return null;
}
