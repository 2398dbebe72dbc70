import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { Link, useLocation, useParams } from "react-router";
import { SearchIcon } from "../ui/icons";
import { EmptyState } from "../ui/EmptyState";
import { EnglishNote } from "../ui/locale/EnglishNote";
import { Page } from "../ui/Page";
import { Contents } from "./Contents";
import styles from "./help.module.css";
import { addressOf, findTopic, type Topic } from "./library";
import { RelatedTopics } from "./RelatedTopics";
import { Prose } from "./Prose";
import prose from "./prose.module.css";

const BACK = { to: "/help", label: t`Help center` };

const searchButton = (
  <Button component={Link} to="/help?q=" startIcon={<SearchIcon />}>
    {t`Search help`}
  </Button>
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
  useAnchor(topic);
  if (!topic)
    return (
      <Page title={t`Help page not found`} back={BACK}>
        <EmptyState title={t`This page does not exist`} action={searchButton}>
          {t`The link may be outdated. Try the search.`}
        </EmptyState>
      </Page>
    );
  const headings = topic.passages
    .map((passage) => passage.heading)
    .filter((heading) => heading?.level === 2);
  return (
    <Page
      title={topic.title}
      titleLang="en"
      subtitle={<span lang="en">{topic.summary}</span>}
      back={BACK}
      actions={searchButton}
    >
      <EnglishNote />
      <div className={styles.page}>
        {headings.length > 1 && <Contents headings={headings.filter((item) => item !== null)} />}
        <div className={styles.text}>
          <article lang="en" className={prose.prose}>
            <Prose markdown={topic.body} path={addressOf(topic.name)} />
          </article>
          <RelatedTopics topic={topic} />
        </div>
      </div>
    </Page>
  );
}
