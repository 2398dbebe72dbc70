/** The precedence of semantic versions. */

import { SEMVER } from "./semver.js";

/** Compares two versions by precedence: below, at or above 0; `null` if one is not semantic. */
export function compareVersions(one: string, other: string): number | null {
  const first = SEMVER.exec(one.trim());
  const second = SEMVER.exec(other.trim());
  if (first === null || second === null) return null;
  for (const index of [1, 2, 3]) {
    const order = compareNumbers(first[index] ?? "", second[index] ?? "");
    if (order !== 0) return order;
  }
  return comparePreReleases(first[4], second[4]);
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
  return one === other ? 0 : one < other ? -1 : 1;
}

function compareNumbers(one: string, other: string): number {
  const difference = BigInt(one) - BigInt(other);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
