import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Card from "@mui/material/Card";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { EmptyState } from "../ui/EmptyState";
import { HelpLink } from "../ui/help";
import { Column } from "../ui/layout/layout";
import { EnglishNote } from "../ui/locale/EnglishNote";
import { Muted } from "../ui/Muted";
import { Page } from "../ui/Page";
import styles from "./help.module.css";
import { type Hit, type Piece, search } from "./search";
import { SearchField } from "./SearchField";
import { TopicGroups } from "./TopicGroups";

const URL_DELAY_MS = 300;

/** The Help center: all topics by group, and full-text search. */
export default function HelpPage() {
  const [params, setParams] = useSearchParams();
  const urlQuery = params.get("q") ?? "";
  const [query, setQuery] = useState(urlQuery);
  const [openedForSearch] = useState(params.has("q"));
  const wanted = query.trim();
  const hits = useMemo(() => (wanted ? search(wanted) : []), [wanted]);
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);

  // Keep the query in the URL so that going back from a result shows the results again.
  const timer = useRef<number>(undefined);
  const write = useCallback(() => {
    window.clearTimeout(timer.current);
    if (wanted !== urlQuery) setParams(wanted ? { q: wanted } : {}, { replace: true });
  }, [wanted, urlQuery, setParams]);
  useEffect(() => {
    timer.current = window.setTimeout(write, URL_DELAY_MS);
    return () => window.clearTimeout(timer.current);
  }, [write]);

  const step = (event: KeyboardEvent) => {
    const links = area.current?.querySelectorAll<HTMLElement>("li > a") ?? [];
    const stops = [field.current, ...links];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = by && stops[stops.findIndex((stop) => stop === document.activeElement) + by];
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Escape") {
      setQuery("");
      field.current?.focus();
    }
  };
  const stepOrOpen = (event: KeyboardEvent) => {
    const best = hits[0];
    if (event.key !== "Enter" || !best) {
      step(event);
      return;
    }
    write();
    void navigate(best.to);
  };

  return (
    <Page
      title={t`Help center`}
      subtitle={t`Answers for everyone who works with licenses: owners, support, finance.`}
    >
      <EnglishNote />
      <Column gap="s" className={styles.search}>
        <SearchField
          value={query}
          onChange={setQuery}
          onKeyDown={stepOrOpen}
          inputRef={field}
          autoFocus={openedForSearch}
        />
        <Muted role="status">
          {wanted
            ? plural(
                { count: hits.length },
                {
                  one: `# result for “${wanted}”. Use the arrow keys to move and Enter to open.`,
                  other: `# results for “${wanted}”. Use the arrow keys to move and Enter to open.`,
                },
              )
            : t`Search by keyword, error code or what your customer says.`}
        </Muted>
      </Column>
      <div ref={area} onClickCapture={write} hidden={!wanted}>
        {hits.length > 0 ? <Results hits={hits} onKeyDown={step} /> : <NothingFound />}
      </div>
      {!wanted && <TopicGroups />}
    </Page>
  );
}

const NothingFound = () => (
  <EmptyState title={t`No results`}>
    <Trans>
      Try fewer words, or the label of a button. If something fails for a customer, start with{" "}
      <HelpLink topic="troubleshooting">Troubleshooting</HelpLink>.
    </Trans>
  </EmptyState>
);

const Marked = ({ pieces }: { pieces: Piece[] }) =>
  pieces.map((piece, place) => (piece.marked ? <mark key={place}>{piece.text}</mark> : piece.text));

interface ResultsProps {
  hits: Hit[];
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Search results, best first, linked to the section of the page. */
const Results = ({ hits, onKeyDown }: ResultsProps) => (
  <Card className={styles.results}>
    <Column as="ul" aria-label={t`Search results`} onKeyDown={onKeyDown}>
      {hits.map((hit) => (
        <li key={hit.to}>
          <Link to={hit.to} lang="en" className={styles.hit}>
            <strong>
              <Marked pieces={hit.page} />
              {hit.heading.length > 0 && " › "}
              <Marked pieces={hit.heading} />
            </strong>
            <span>
              <Marked pieces={hit.excerpt} />
            </span>
          </Link>
        </li>
      ))}
    </Column>
  </Card>
);
