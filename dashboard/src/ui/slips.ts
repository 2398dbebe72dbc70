/**
 * How many letters have to be put in, left out, changed or swapped to get from one word to each
 * beginning of the other, the shortest first; the last one is the whole word.
 */
export function slipsToBeginnings(typed: string, word: string): number[] {
  let before: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    for (let j = 1; j <= word.length; j++) {
      const same = typed[i - 1] === word[j - 1];
      const isSwapped =
        i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last;
}

/** How many letters differ between two words. */
export const slipsBetween = (one: string, other: string): number =>
  slipsToBeginnings(one, other).at(-1) ?? one.length;
