import { i18n } from "@lingui/core";
import MiniSearch from "minisearch";
import { folded } from "../ui/folded";
import { addressOf, type Texts, type Topic } from "./library";

/** A piece of text, marked if it matches the query. */
export interface Piece {
  text: string;
  marked: boolean;
}

export interface Hit {
  to: string;
  /** The language of heading and excerpt. */
  locale: string;
  page: Piece[];
  /** The heading within the page; empty for the introduction. */
  heading: Piece[];
  excerpt: Piece[];
}

interface Entry {
  id: number;
  topic: Topic;
  locale: string;
  title: string;
  keywords: string;
  heading: string;
  anchor: string | undefined;
  text: string;
}

const HITS_MAX = 20;
const HITS_A_PAGE = 3;
const EXCERPT = 170;

/** Words of a question that tell nothing of what is looked for. */
const FILLERS: Partial<Record<string, string>> = {
  en: "a an and are as at be by can do does for from how i if in is it me my of on or the this to what when where why with you",
  de: "als am an auf aus bei bin das dem den der des die ein eine einem einen einer es für hat ich ihr im in ist kann man mein meine mit oder sich sie sind und von vom wann warum was wenn wie wird wo zu zum zur",
};
const fillers = new Set(FILLERS[i18n.locale]?.split(" ").map(folded));

/** Splits text into words. Names such as MaxActivationsReached also yield their parts. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word.match(/\p{Lu}?[\p{Ll}\p{N}]+/gu) ?? [];
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

const foldedWordsOf = (text: string) => wordsOf(text).map(folded);

const entriesOf = (texts: Texts): Entry[] =>
  [...texts]
    .flatMap(([topic, { locale, passages }]) =>
      passages.map(({ heading, text }) => ({
        topic,
        locale,
        title: topic.title,
        keywords: heading ? "" : topic.keywords,
        heading: heading?.text ?? "",
        anchor: heading?.anchor,
        text: heading ? text : `${topic.summary} ${text}`,
      })),
    )
    .filter((entry) => entry.text !== "")
    .map((entry, id) => ({ ...entry, id }));

/** What to do comes before what a code or a figure means. */
const WEIGHTS: Partial<Record<string, number>> = {
  troubleshooting: 1.4,
  why: 1.2,
  "error-codes": 0.8,
  statistics: 0.8,
};

const weightOf = ({ topic }: Entry): number => WEIGHTS[topic.name] ?? 1;

function indexOf(entries: readonly Entry[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ["heading", "title", "keywords", "text"],
    tokenize: wordsOf,
    processTerm: (term) => {
      const word = folded(term);
      return fillers.has(word) ? null : word;
    },
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { heading: 5, keywords: 3, title: 2 },
      weights: { prefix: 0.6, fuzzy: 0.25 },
      boostDocument: (id: number) => {
        const entry = entries[id];
        return entry ? weightOf(entry) : 1;
      },
    },
  });
  index.addAll(entries);
  return index;
}

/** What customers and staff say, in their words, as texts quote it. */
const QUOTES = /“([^“”„]+)”|„([^“”„]+)“/gu;

/** The words of each quote in a section, and of its heading. */
const phrasesIn = ({ heading, text }: Entry): string[] =>
  [
    heading,
    ...[...text.matchAll(QUOTES)].map(([, english, german]) => english ?? german ?? ""),
  ].map((phrase) => ` ${foldedWordsOf(phrase).join(" ")} `);

interface Searchable {
  entries: Entry[];
  index: MiniSearch<Entry>;
}

const searchables = new WeakMap<Texts, Searchable>();

/** The search index, built on first use. */
function searchableOf(texts: Texts): Searchable {
  const known = searchables.get(texts);
  if (known) return known;
  const entries = entriesOf(texts);
  const made = { entries, index: indexOf(entries) };
  searchables.set(texts, made);
  return made;
}

interface Found {
  id: number;
  terms: string[];
}

/** Whether words are forms of one another, such as device and devices. */
const isForm = (one: string, other: string) =>
  one === other ||
  (Math.min(one.length, other.length) > 3 && (one.startsWith(other) || other.startsWith(one)));

/** So many words of a query are a phrase, which texts do not have by chance. */
const PHRASE = 3;

/** The sections in which somebody is quoted with the words of the query, or that are called so. */
function quoting(entries: readonly Entry[], typed: readonly string[]): Found[] {
  if (typed.length < PHRASE) return [];
  const phrase = typed.join(" ");
  return entries
    .filter((entry) => phrasesIn(entry).some((one) => one.includes(` ${phrase}`)))
    .toSorted((one, other) => weightOf(other) - weightOf(one))
    .map(({ id }) => ({ id, terms: [phrase] }));
}

/** The answers to questions of which all words are asked for, those with most words first. */
function answersTo(entries: readonly Entry[], typed: readonly string[]): Found[] {
  const telling = typed.filter((word) => !fillers.has(word));
  const answers = new Map<number, number>();
  for (const { id, topic, anchor } of entries)
    for (const question of topic.questions) {
      if (question.anchor !== anchor) continue;
      const words = foldedWordsOf(question.text).filter((word) => !fillers.has(word));
      if (words.every((word) => telling.some((one) => isForm(one, word))))
        answers.set(id, Math.max(answers.get(id) ?? 0, words.length));
    }
  return [...answers]
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => ({ id, terms: telling }));
}

/** Each section once, where it was found first. */
const once = (found: readonly Found[]): Found[] =>
  found.filter(({ id }, place) => found.findIndex((one) => one.id === id) === place);

/** The passages in which all words of a query stand or begin a word, best first. */
export function passagesWith(texts: Texts, query: string): Hit[] {
  const { entries, index } = searchableOf(texts);
  const typed = foldedWordsOf(query);
  const found = once([
    ...quoting(entries, typed),
    ...(index.search(query, { combineWith: "AND", fuzzy: false }) as Found[]),
  ]);
  return found.flatMap(({ id, terms }) => {
    const entry = entries[id];
    return entry ? hitOf(entry, marker(terms, typed)) : [];
  });
}

/**
 * The best passages: where somebody is quoted so, what answers the question, then those with all words,
 * then those with any.
 */
export function search(texts: Texts, query: string): Hit[] {
  const { entries, index } = searchableOf(texts);
  const typed = foldedWordsOf(query);
  const found = once([
    ...quoting(entries, typed),
    ...answersTo(entries, typed),
    ...(index.search(query, { combineWith: "AND" }) as Found[]),
    ...(index.search(query) as Found[]),
  ]);
  const ofPage = new Map<Topic, number>();
  const hits: Hit[] = [];
  for (const { id, terms } of found) {
    const entry = entries[id];
    const count = entry ? (ofPage.get(entry.topic) ?? 0) : HITS_A_PAGE;
    if (!entry || count >= HITS_A_PAGE) continue;
    ofPage.set(entry.topic, count + 1);
    hits.push(hitOf(entry, marker(terms, typed)));
    if (hits.length === HITS_MAX) break;
  }
  return hits;
}

function hitOf(entry: Entry, marks: RegExp): Hit {
  return {
    to: addressOf(entry.topic.name, entry.anchor),
    locale: entry.locale,
    page: pieces(entry.title, marks),
    heading: pieces(entry.heading, marks),
    excerpt: pieces(excerptOf(entry.text, marks), marks),
  };
}

/** What to mark: a phrase, the typed letters, or the whole word for a fuzzy match. */
function marker(terms: readonly string[], typed: readonly string[]): RegExp {
  const letters = (term: string) => typed.find((word) => term.startsWith(word)) ?? term;
  const shown = terms.map((term) => (term.includes(" ") ? term : letters(term)));
  const longestFirst = [...new Set(shown)].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.join("|"), "giu");
}

/** Matches at the start of a word, or of a part of a word such as LicenseExpired. */
function placesOf(text: string, marks: RegExp): { index: number; word: string }[] {
  let found = "";
  const starts: number[] = [];
  let at = 0;
  for (const char of text) {
    const letters = folded(char);
    found += letters;
    starts.push(...Array<number>(letters.length).fill(at));
    at += char.length;
  }
  const startOf = (place: number) => starts[place] ?? text.length;
  return [...found.matchAll(marks)]
    .map((match) => {
      const index = startOf(match.index);
      return { index, word: text.slice(index, startOf(match.index + match[0].length)) };
    })
    .filter(({ index, word }) => {
      const before = text.charAt(index - 1);
      return !/[\p{L}\p{N}]/u.test(before) || /^\p{Lu}/u.test(word);
    });
}

function excerptOf(text: string, marks: RegExp): string {
  const at = placesOf(text, marks)[0]?.index ?? 0;
  const start = at < EXCERPT * 0.6 ? 0 : text.indexOf(" ", at - EXCERPT * 0.4) + 1;
  const end = start + EXCERPT;
  const cut = end < text.length ? text.slice(start, text.lastIndexOf(" ", end)) : text.slice(start);
  return `${start > 0 ? "… " : ""}${cut}${end < text.length ? " …" : ""}`;
}

function pieces(text: string, marks: RegExp): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const { index, word } of placesOf(text, marks)) {
    if (index > done) found.push({ text: text.slice(done, index), marked: false });
    found.push({ text: word, marked: true });
    done = index + word.length;
  }
  if (done < text.length) found.push({ text: text.slice(done), marked: false });
  return found;
}
