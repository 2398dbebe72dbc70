import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Card from "@mui/material/Card";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type Ref,
} from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { EmptyState } from "../ui/EmptyState";
import { HelpLink } from "../ui/help";
import {
  BoltIcon,
  FlagIcon,
  LicenseIcon,
  PeopleIcon,
  ProductIcon,
  RepairIcon,
  SettingsIcon,
  ShowIcon,
  type Icon,
  CloseIcon,
  SearchIcon,
} from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { Page } from "../ui/Page";
import styles from "./help.module.css";
import { addressOf, groupLabel, GROUPS, type Group, useTexts } from "./library";
import { type Hit, type Piece, search } from "./search";

const URL_DELAY_MS = 300;

/** The Help center: all topics by group, and full-text search. */
export default function HelpPage() {
  const [params, setParams] = useSearchParams();
  const urlQuery = params.get("q") ?? "";
  const [query, setQuery] = useState(urlQuery);
  const [openedForSearch] = useState(params.has("q"));
  const wanted = query.trim();
  const texts = useTexts();
  const hits = useMemo(() => (wanted ? search(texts, wanted) : []), [texts, wanted]);
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
          <Link to={hit.to} className={styles.hit}>
            <strong>
              <Marked pieces={hit.page} />
              {hit.heading.length > 0 && (
                <span lang={hit.locale}>
                  {" › "}
                  <Marked pieces={hit.heading} />
                </span>
              )}
            </strong>
            <span lang={hit.locale}>
              <Marked pieces={hit.excerpt} />
            </span>
          </Link>
        </li>
      ))}
    </Column>
  </Card>
);

const ICONS: Record<string, Icon> = {
  "Start here": FlagIcon,
  "When something fails": RepairIcon,
  "License models": SettingsIcon,
  "Working with licenses": LicenseIcon,
  Products: ProductIcon,
  "Team and security": PeopleIcon,
  Automation: BoltIcon,
  Monitoring: ShowIcon,
};

/** A card for each group of topics. */
const TopicGroups = () => (
  <div className={styles.groups}>
    {GROUPS.map((group) => (
      <GroupCard key={group.name} group={group} />
    ))}
  </div>
);

function GroupCard({ group }: { group: Group }) {
  const Icon = ICONS[group.name] ?? FlagIcon;
  return (
    <Card component="section" aria-label={groupLabel(group)} className={styles.group}>
      <Row gap="s" className={styles.groupName}>
        <Icon color="var(--accent)" aria-hidden />
        <Typography variant="h6" component="h2">
          {groupLabel(group)}
        </Typography>
      </Row>
      <Column as="ul">
        {group.topics.map((topic) => (
          <li key={topic.name}>
            <Link to={addressOf(topic.name)} className={styles.topic}>
              <strong>{topic.title}</strong>
              <span>{topic.summary}</span>
            </Link>
          </li>
        ))}
      </Column>
    </Card>
  );
}

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  inputRef: Ref<HTMLInputElement>;
  autoFocus: boolean;
}

const SearchField = ({ value, onChange, onKeyDown, inputRef, autoFocus }: SearchFieldProps) => (
  <TextField
    label={t`Search the Help center`}
    placeholder={t`A question, an error code or a button label`}
    type="search"
    size="medium"
    fullWidth
    value={value}
    inputRef={inputRef}
    autoFocus={autoFocus}
    onKeyDown={onKeyDown}
    onChange={(event) => onChange(event.target.value)}
    className={styles.field}
    slotProps={{
      htmlInput: { maxLength: 200, autoComplete: "off", spellCheck: false },
      inputLabel: { shrink: true },
      input: {
        startAdornment: (
          <InputAdornment position="start">
            <SearchIcon aria-hidden />
          </InputAdornment>
        ),
        endAdornment: value !== "" && (
          <InputAdornment position="end">
            <IconButton size="small" aria-label={t`Clear search`} onClick={() => onChange("")}>
              <CloseIcon />
            </IconButton>
          </InputAdornment>
        ),
      },
    }}
  />
);
