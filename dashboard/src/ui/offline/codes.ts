const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUP = 5;
/** Symbols of a code, with those that check the others. */
export const CODE_LENGTH = 137;

/** What people read as another symbol. */
const READ_AS: Record<string, string> = { I: "1", L: "1", O: "0" };

/** What stands between groups; some programs make dashes longer. */
const BETWEEN = /[\s\-\u2010-\u2015\u2212]/g;

/** Returns the symbols of a typed code, without spaces and dashes. */
export const symbolsOf = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(BETWEEN, "")
    .replace(/[ILO]/g, (letter) => READ_AS[letter] ?? letter);

/** Returns the groups of a code: five symbols each, fewer in the last. */
export const groupsOf = (symbols: string): string[] =>
  symbols.match(new RegExp(`.{1,${String(GROUP)}}`, "g")) ?? [];

/** Doubles an element of the field with 32 elements. */
const doubled = (element: number): number =>
  element < 16 ? element * 2 : (element * 2) ^ 0b100101;

/** Whether the check symbol of a group fits it at this place, counted from 0. */
function isWhole(group: string, place: number): boolean {
  // Horner's rule: from the last symbol, which has the highest power.
  const sum = [...group].reduceRight(
    (value, letter) => doubled(value ^ LETTERS.indexOf(letter)),
    0,
  );
  return !group.includes("U") && sum === place + 1;
}

/** Returns the number of the first mistyped group, counted from 1; null if there is none. */
export function mistypedGroup(symbols: string): number | null {
  const place = groupsOf(symbols).findIndex((group, index) => !isWhole(group, index));
  return place < 0 ? null : place + 1;
}
