/** Which version is the later one, and which versions a license covers. */

const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const COMPARABLE = new RegExp(
  `^v?([0-9]+(?:\\.[0-9]+)*)(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?$`,
);

/**
 * Compares two versions: below, at or above 0; `null` if one is not comparable.
 *
 * Numbers with dots, as many as it likes; missing ones are 0. After two or more there may be a
 * pre-release, which sorts as in semantic versioning: `2024-11-22` is a date.
 */
export function compareVersions(one: string, other: string): number | null {
  const [first, second] = [parts(one), parts(other)];
  if (first === null || second === null) return null;
  const length = Math.max(first.numbers.length, second.numbers.length);
  for (let index = 0; index < length; index++) {
    const order = compareNumbers(first.numbers[index] ?? "0", second.numbers[index] ?? "0");
    if (order !== 0) return order;
  }
  return comparePreReleases(first.preRelease, second.preRelease);
}

/**
 * Whether a license for one release covers this version of the application: every version up to the
 * end of its major one, the first number. Versions that are not comparable do not restrict.
 */
export function releaseAllows(release: string | null, application: string | null): boolean {
  if (release === null || application === null) return true;
  const [covered, own] = [parts(release), parts(application)];
  if (covered === null || own === null) return true;
  return compareNumbers(own.numbers[0] ?? "0", covered.numbers[0] ?? "0") <= 0;
}

function parts(version: string): { numbers: string[]; preRelease: string | undefined } | null {
  const match = COMPARABLE.exec(version.trim());
  const [numbers, preRelease] = [match?.[1]?.split("."), match?.[2]];
  const isDate = numbers?.length === 1 && preRelease !== undefined;
  return numbers === undefined || isDate ? null : { numbers, preRelease };
}

function comparePreReleases(one: string | undefined, other: string | undefined): number {
  // A release comes after its pre-releases.
  if (one === undefined || other === undefined) return Number(!one) - Number(!other);
  const [first, second] = [one.split("."), other.split(".")];
  for (const [index, part] of first.entries()) {
    const opposite = second[index];
    if (opposite === undefined) return 1;
    const order = compareParts(part, opposite);
    if (order !== 0) return order;
  }
  return Math.sign(first.length - second.length);
}

function compareParts(one: string, other: string): number {
  const [numeric, alsoNumeric] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (numeric && alsoNumeric) return compareNumbers(one, other);
  if (numeric !== alsoNumeric) return numeric ? -1 : 1;
  return compareTexts(one, other);
}

/** Compares numbers of any size. */
function compareNumbers(one: string, other: string): number {
  const [first, second] = [one.replace(/^0+/, ""), other.replace(/^0+/, "")];
  return Math.sign(first.length - second.length) || compareTexts(first, second);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
