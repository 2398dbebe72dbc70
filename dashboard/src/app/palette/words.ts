import { t } from "@lingui/core/macro";
import { folded } from "../../ui/folded";

/** The words of a list in a catalog, as they are compared. */
export const listed = (list: string): string[] => folded(list).split(" ");

const FILLERS = new Set(
  listed(
    t`a an the of to for from in on at as by with and my his her their do does did is are was can how i not no please add this that month week today year work works working doesn't don't isn't`,
  ),
);

/** The kinds of things, which are said beside the name of one. */
const NOUNS = new Set(
  listed(
    t`license licenses key order orders customer customers device seat seats session release product number`,
  ),
);

/** The words of a text, without what ends a sentence and the "'s" of a name. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((word) => word.replace(/[?!.,;:]+$/u, "").replace(/['’]s$/iu, ""))
    .filter(Boolean);

/** Whether a word says nothing of what is meant. */
export const isFiller = (word: string): boolean => FILLERS.has(folded(word));

export const isNoun = (word: string): boolean => NOUNS.has(folded(word));

const isAddress = (word: string): boolean => word.includes("@");

/** The words of a text that may name a page or a command. */
export const commandIn = (text: string): string =>
  wordsOf(text)
    .filter((word) => !isFiller(word) && !isAddress(word))
    .join(" ");
