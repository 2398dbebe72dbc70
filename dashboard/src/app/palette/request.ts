import { t } from "@lingui/core/macro";
import { folded } from "../../ui/folded";
import { isMeant } from "./typos";
import { VERBS, type Verb } from "./verbs";
import { isFiller, isNoun, listed, wordsOf } from "./words";

/** A time to add to a term. */
export interface Span {
  days: number;
  months: number;
}

/** What a text asks for: "grant 500 maria", "extend tom 30 days", "why does paul not work". */
export interface Request {
  /** What is to be done; several if what was said means several. */
  verbs: readonly Verb[];
  /** What is said with the verb. */
  amount?: number;
  span?: Span;
  /** The words that are left, which name a thing. */
  name: string;
}

/** Whether a word says this word of a verb; `isFirst`: it begins the text, and may be half-typed. */
type Says = (typed: string, word: string, isBegun: boolean) => boolean;

const BEGINNING = 3;

const isSaid: Says = (typed, word, isBegun) =>
  typed === word || (isBegun && typed.length >= BEGINNING && word.startsWith(typed));

const isSaidWithSlips: Says = (typed, word, isBegun) =>
  isSaid(typed, word, isBegun) || (typed.length + 1 >= word.length && isMeant(typed, word));

/** What a text asks for; a verb may stand at any place. */
export const requestOf = (text: string): Request => heardIn(text, isSaid);

/** The same for a text in which a verb may be mistyped. */
export const likelyRequestOf = (text: string): Request => heardIn(text, isSaidWithSlips);

function heardIn(text: string, says: Says): Request {
  const words = withPhrases(wordsOf(text));
  const saying = (verb: Verb) =>
    words.filter((word, at) =>
      verb.words.some((one, place) => says(folded(word), one, at === 0 && place === 0)),
    );
  const most = Math.max(1, ...VERBS.map((verb) => saying(verb).length));
  const verbs = VERBS.filter((verb) => saying(verb).length === most);
  const said = verbs.flatMap(saying);
  const { figures, used } = figuresIn(words, verbs, said);
  const names = words.filter(
    (word) => !said.includes(word) && !used.includes(word) && !isFiller(word) && !isNoun(word),
  );
  return { verbs, ...figures, name: names.join(" ") };
}

const SAID = new Set(VERBS.flatMap(({ words }) => words));

/** Words with those joined that are a phrase only together: "top up" as "top-up". */
const withPhrases = (words: readonly string[]): string[] =>
  words.reduce<string[]>((joined, word) => {
    const phrase = `${joined.at(-1) ?? ""}-${word}`;
    return SAID.has(folded(phrase)) ? [...joined.slice(0, -1), phrase] : [...joined, word];
  }, []);

type Figures = Pick<Request, "amount" | "span">;

interface Taken {
  figures: Figures;
  used: readonly (string | undefined)[];
}

const NUMBER = /^[1-9]\d{0,8}$/;

const UNITS = [
  { words: listed(t`day days`), days: 1, months: 0 },
  { words: listed(t`week weeks`), days: 7, months: 0 },
  { words: listed(t`month months`), days: 0, months: 1 },
  { words: listed(t`year years`), days: 0, months: 12 },
];

/** The amount or the time that is said with these verbs, and the words that say it. */
function figuresIn(words: string[], verbs: readonly Verb[], said: string[]): Taken {
  if (verbs.some(({ takes }) => takes === "span")) {
    const at = words.findIndex((word) => UNITS.some((unit) => unit.words.includes(folded(word))));
    const unit = UNITS.find((one) => one.words.includes(folded(words[at] ?? "")));
    if (!unit) return { figures: {}, used: [] };
    const before = words[at - 1] ?? "";
    const count = NUMBER.test(before) ? Number(before) : 1;
    return {
      figures: {
        span: { days: unit.days * count, months: unit.months * count },
      },
      used: [words[at], NUMBER.test(before) ? before : undefined],
    };
  }
  if (verbs.some(({ takes }) => takes === "amount")) {
    const verbAt = words.findIndex((word) => said.includes(word));
    const beside = [words[verbAt + 1], words[verbAt - 1], words.at(-1)];
    const figure = beside.find((word) => word !== undefined && NUMBER.test(word));
    if (figure) return { figures: { amount: Number(figure) }, used: [figure] };
  }
  return { figures: {}, used: [] };
}
