import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type ReactNode, useEffect, useState } from "react";
import { Link as RouterLink, useLocation, useParams } from "react-router";
import { EmptyState } from "../ui/EmptyState";
import { ArrowBackIcon, ArrowForwardIcon, SearchIcon } from "../ui/icons";
import { Column, Fill, Row } from "../ui/layout/layout";
import { EnglishNote } from "../ui/locale/EnglishNote";
import { SOURCE } from "../ui/locale/locale";
import { Muted } from "../ui/Muted";
import { Page } from "../ui/Page";
import { ButtonLink, PageLink } from "../ui/PageLink";
import styles from "./help.module.css";
import {
  addressOf,
  findTopic,
  type Text,
  type Topic,
  TOPICS,
  topicsNamed,
  useTexts,
} from "./library";
import { Prose } from "./Prose";
import prose from "./prose.module.css";
import { type Heading, passagesOf, sectionsWith } from "./text";

const BACK = { to: "/help", label: t`Help center` };

const searchButton = (
  <ButtonLink to="/help?q=" startIcon={<SearchIcon />}>
    {t`Search help`}
  </ButtonLink>
);

/** Scrolls to the heading in the URL, or to the top of a newly opened page. */
function useAnchor(topic: Topic | undefined) {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (!topic) return;
    const heading = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (heading) {
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    } else {
      window.scrollTo(0, 0);
    }
  }, [topic, hash, key]);
}

/** One page of the Help center. */
export default function TopicPage() {
  const topic = findTopic(useParams().topic);
  const { hash } = useLocation();
  const texts = useTexts();
  const text = topic && texts.get(topic);
  useAnchor(topic);
  if (!text)
    return (
      <Page title={t`Help page not found`} back={BACK}>
        <EmptyState title={t`This page does not exist`} action={searchButton}>
          {t`The link may be outdated. Try the search.`}
        </EmptyState>
      </Page>
    );
  const hasCodes = topic.name === "error-codes";
  return (
    <Page
      title={topic.title}
      subtitle={topic.summary}
      back={BACK}
      actions={!hasCodes && searchButton}
    >
      {text.locale === SOURCE && <EnglishNote />}
      {/* A link to a code shows it, whatever was looked for before. */}
      <TopicText
        key={hasCodes ? topic.name + hash : topic.name}
        topic={topic}
        text={text}
        hasCodes={hasCodes}
      />
    </Page>
  );
}

interface TopicTextProps {
  topic: Topic;
  text: Text;
  /** Whether its sections are codes, of which a reader looks for one. */
  hasCodes: boolean;
}

/** The text of a topic beside its table of contents. */
function TopicText({ topic, text, hasCodes }: TopicTextProps) {
  const [words, setWords] = useState("");
  const body = sectionsWith(words, text.body);
  const shown = words.trim() ? passagesOf(body) : text.passages;
  const headings = shown
    .map(({ heading }) => heading)
    .filter((heading) => heading !== null)
    .filter(({ level }) => level === 2 || hasCodes);
  return (
    <>
      {hasCodes && (
        <TextField
          label={t`Code, status or words`}
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          className={styles.codes}
          slotProps={{ htmlInput: { maxLength: 100, autoComplete: "off", spellCheck: false } }}
        />
      )}
      <div className={styles.page}>
        {headings.length > 1 && <Contents locale={text.locale} headings={headings} />}
        <div className={styles.text}>
          {body === "" && <Muted role="status">{t`No code matches.`}</Muted>}
          <article lang={text.locale} className={prose.prose}>
            <Prose markdown={body} path={addressOf(topic.name)} passages={text.passages} />
          </article>
          <RelatedTopics topic={topic} />
        </div>
      </div>
    </>
  );
}

/** Table of contents, next to the page or above it on small screens. */
const Contents = ({ locale, headings }: { locale: string; headings: Heading[] }) => (
  <nav aria-labelledby="on-this-page" className={styles.contents}>
    <h2 id="on-this-page">{t`On this page`}</h2>
    <Column as="ul" lang={locale}>
      {headings.map((heading) => (
        <li key={heading.anchor} data-level={heading.level}>
          <PageLink
            to={{ hash: heading.anchor }}
            variant="body2"
            color="textSecondary"
            className={styles.heading}
          >
            {heading.text}
          </PageLink>
        </li>
      ))}
    </Column>
  </nav>
);

/** Related topics and links to the previous and next page. */
function RelatedTopics({ topic }: { topic: Topic }) {
  const place = TOPICS.indexOf(topic);
  const before = TOPICS[place - 1];
  const after = TOPICS[place + 1];
  return (
    <footer className={styles.related}>
      <Typography variant="h6" component="h2">
        {t`Related`}
      </Typography>
      <Column as="ul" gap="s">
        {topicsNamed(topic.related).map((other) => (
          <li key={other.name}>
            <PageLink to={addressOf(other.name)} variant="subtitle1">
              {other.title}
            </PageLink>
            <Muted>{other.summary}</Muted>
          </li>
        ))}
      </Column>
      <Row as="nav" folds gap="m" aria-label={t`Previous and next page`}>
        {before && <Neighbor topic={before} side="Previous" icon={<ArrowBackIcon />} />}
        {after && <Neighbor topic={after} side="Next" icon={<ArrowForwardIcon />} />}
      </Row>
    </footer>
  );
}

const SIDES = { Previous: t`Previous`, Next: t`Next` };

interface NeighborProps {
  topic: Topic;
  side: keyof typeof SIDES;
  icon: ReactNode;
}

const Neighbor = ({ topic, side, icon }: NeighborProps) => (
  <RouterLink to={addressOf(topic.name)} className={styles.neighbor} data-side={side}>
    {icon}
    <Fill as="span">
      <span>{SIDES[side]}</span>
      <strong>{topic.title}</strong>
    </Fill>
  </RouterLink>
);
