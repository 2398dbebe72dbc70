import { slipsToBeginnings } from "../../ui/slips";

const LONG = 8;
const SHORT = 5;

/** How many letters of a word may be wrong. */
const slipsIn = (word: string): number => (word.length >= LONG ? 2 : word.length >= SHORT ? 1 : 0);

/** Whether a word was meant that is typed with a slip: "webhoks" is the beginning of "webhooks". */
export function isMeant(typed: string, word: string): boolean {
  const most = slipsIn(typed);
  return most > 0 && typed[0] === word[0] && Math.min(...slipsToBeginnings(typed, word)) <= most;
}

/** What a text with slips begins with: enough of each word to find those that may be meant. */
export const beginningsOf = (text: string): string =>
  text
    .split(/\s+/)
    .map((word) => (word.length >= SHORT ? word.slice(0, Math.max(2, word.length - 3)) : word))
    .join(" ");
