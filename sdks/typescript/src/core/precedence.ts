/** Which version is the later one. */

import { compareNumbers, compareTexts, parts } from "./versionLine.js";

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
