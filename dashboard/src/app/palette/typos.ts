const LONG = 8;
const SHORT = 5;

/** How many letters of a word may be wrong. */
const slipsIn = (word: string): number => (word.length >= LONG ? 2 : word.length >= SHORT ? 1 : 0);

/**
 * How many letters have to be put in, left out, changed or swapped to get from one word to the
 * beginning of the other; more than `most` is `most + 1`.
 */
function distance(typed: string, word: string, most: number): number {
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
  return Math.min(most + 1, ...last);
}

/** Whether a word was meant that is typed with a slip: "webhoks" is the beginning of "webhooks". */
export function isMeant(typed: string, word: string): boolean {
  const most = slipsIn(typed);
  return most > 0 && typed[0] === word[0] && distance(typed, word, most) <= most;
}

/** What a text with slips begins with: enough of each word to find those that may be meant. */
export const beginningsOf = (text: string): string =>
  text
    .split(/\s+/)
    .map((word) => (word.length >= SHORT ? word.slice(0, Math.max(2, word.length - 3)) : word))
    .join(" ");
