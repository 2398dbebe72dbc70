import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { use } from "react";
import { HELP_TOPIC_LABELS, HELP_TOPICS, type HelpTopic } from "../ui/helpTopics";
import { SOURCE } from "../ui/locale/locale";
import { passagesAt, passagesOf, type Passage } from "./text";

export interface Topic {
  name: HelpTopic;
  title: string;
  summary: string;
  group: string;
  order: number;
  /** Additional search terms, also in the reader's language. */
  keywords: string;
  /** What is asked in plain words, also in the reader's language. */
  questions: Question[];
  related: string[];
  english: Text;
}

/** Words that are asked for, and the heading that answers them; without one, the topic does. */
export interface Question {
  text: string;
  anchor: string | undefined;
}

/** What a topic says, in one language. */
export interface Text {
  locale: string;
  /** Markdown. */
  body: string;
  passages: Passage[];
}

export interface Group {
  name: string;
  topics: Topic[];
}

const files = import.meta.glob<string>("./topics/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Questions as a topic's file has them: `lost key, too many devices #MaxActivationsReached`. */
const questionsIn = (fact: string): Question[] =>
  fact.split(", ").flatMap((one) => {
    const [text = "", anchor] = one.split(" #");
    return text ? [{ text, anchor }] : [];
  });

function topicFrom(name: HelpTopic): Topic {
  const file = files[`./topics/${name}.md`] ?? "";
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? [];
  const facts = new Map(
    front.split("\n").map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [
        line.slice(0, colon),
        line
          .slice(colon + 1)
          .trim()
          .replace(/^"|"$/g, ""),
      ];
    }),
  );
  const fact = (key: string) => facts.get(key) ?? "";
  const translated = (key: string) => facts.get(`${key}.${i18n.locale}`) ?? fact(key);
  return {
    name,
    title: i18n.locale === SOURCE ? fact("title") : HELP_TOPIC_LABELS[name],
    summary: translated("summary"),
    group: fact("group"),
    order: Number(fact("order")),
    keywords: `${fact("keywords")}, ${translated("keywords")}`,
    questions: questionsIn(`${fact("questions")}, ${translated("questions")}`),
    related: fact("related").split(", "),
    english: { locale: SOURCE, body, passages: passagesOf(body) },
  };
}

/** All topics in reading order. */
export const TOPICS: readonly Topic[] = HELP_TOPICS.map(topicFrom).sort(
  (one, other) => one.order - other.order,
);

export type Texts = ReadonlyMap<Topic, Text>;

/** Each topic's text in the reader's language, or in English if it has none or it cannot be loaded. */
async function loadTexts(): Promise<Texts> {
  const { locale } = i18n;
  const bodies = locale === SOURCE ? {} : await bodiesIn(locale);
  return new Map(
    TOPICS.map((topic): [Topic, Text] => {
      const body = bodies[`./${locale}/${topic.name}.md`];
      if (!body) return [topic, topic.english];
      return [topic, { locale, body, passages: passagesAt(topic.english.passages, body) }];
    }),
  );
}

type Bodies = Partial<Record<string, string>>;

async function bodiesIn(locale: string): Promise<Bodies> {
  try {
    return ((await import(`./topics/bodies.${locale}.ts`)) as { default: Bodies }).default;
  } catch {
    return {};
  }
}

/** The texts of all topics for the reader, once they are loaded. */
export const texts = loadTexts();

/** The same for a component, which waits until they are loaded. */
export const useTexts = (): Texts => use(texts);

const GROUP_LABELS: Partial<Record<string, string>> = {
  "Start here": t`Start here`,
  "When something fails": t`When something fails`,
  "License models": t`License models`,
  "Working with licenses": t`Working with licenses`,
  Products: t`Products`,
  "Team and security": t`Team and security`,
  Automation: t`Automation`,
  Monitoring: t`Monitoring`,
};

/** What a group is called in the reader's language. */
export const groupLabel = ({ name }: Group): string => GROUP_LABELS[name] ?? name;

export const GROUPS: readonly Group[] = [...new Set(TOPICS.map((topic) => topic.group))].map(
  (name) => ({ name, topics: TOPICS.filter((topic) => topic.group === name) }),
);

export function findTopic(name: string | undefined): Topic | undefined {
  return TOPICS.find((topic) => topic.name === name);
}

export const topicsNamed = (names: readonly string[]): Topic[] =>
  names.map(findTopic).filter((topic) => topic !== undefined);

/** The path of a topic or of a heading in it. */
export const addressOf = (name: HelpTopic, anchor?: string): string =>
  `/help/${name}${anchor ? `#${anchor}` : ""}`;
