/** Which versions a license covers. */

const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const COMPARABLE = new RegExp(
  `^v?([0-9]+(?:\\.[0-9]+)*)(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?$`,
);

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

/** The numbers of a version and its pre-release; `null` if it is not comparable. */
export function parts(
  version: string,
): { numbers: string[]; preRelease: string | undefined } | null {
  const match = COMPARABLE.exec(version.trim());
  const [numbers, preRelease] = [match?.[1]?.split("."), match?.[2]];
  const isDate = numbers?.length === 1 && preRelease !== undefined;
  return numbers === undefined || isDate ? null : { numbers, preRelease };
}

/** Compares numbers of any size. */
export function compareNumbers(one: string, other: string): number {
  const [first, second] = [one.replace(/^0+/, ""), other.replace(/^0+/, "")];
  return Math.sign(first.length - second.length) || compareTexts(first, second);
}

/** Compares texts by their code units. */
export function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
