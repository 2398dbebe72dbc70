import { t } from "@lingui/core/macro";
import Tooltip from "@mui/material/Tooltip";
import { NavLink, useLocation } from "react-router";
import { ExpandIcon, MoreIcon } from "../../ui/icons";
import { useStored } from "../../ui/useStored";
import { useEntries, type Entry } from "./entries";
import styles from "./shell.module.css";

interface NavigationProps {
  /** Only the icons, with the labels as tooltips. */
  isNarrow?: boolean;
  /** After a link was followed. */
  onLeave?: () => void;
}

/** The main navigation. */
export function Navigation({ isNarrow = false, onLeave }: NavigationProps) {
  const groups = useEntries();
  return (
    <nav aria-label={t`Main`} className={styles.nav} data-narrow={isNarrow || undefined}>
      {groups.map(({ label, entries }) => (
        <div key={entries[0]?.to} className={styles.group}>
          {label !== undefined && entries.length > 1 ? (
            <Folded label={label} entries={entries} isNarrow={isNarrow} onLeave={onLeave} />
          ) : (
            <Entries entries={entries} isNarrow={isNarrow} onLeave={onLeave} />
          )}
        </div>
      ))}
    </nav>
  );
}

interface EntriesProps {
  entries: readonly Entry[];
  isNarrow: boolean;
  onLeave: (() => void) | undefined;
}

const Entries = ({ entries, isNarrow, onLeave }: EntriesProps) => (
  <ul>
    {entries.map((entry) => (
      <li key={entry.to}>
        <EntryLink entry={entry} isNarrow={isNarrow} onLeave={onLeave} />
      </li>
    ))}
  </ul>
);

/** Entries that are needed seldom: shown on request, and while the page of one is open. */
function Folded({ label, ...given }: EntriesProps & { label: string }) {
  const { pathname } = useLocation();
  const [isUnfolded, unfold] = useStored("moreEntries", false);
  const isHere = given.entries.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  const isOpen = isUnfolded || isHere;
  const button = (
    <button
      type="button"
      className={`${styles.entry ?? ""} ${styles.more ?? ""}`}
      aria-expanded={isOpen}
      aria-label={t`Pages of the service`}
      onClick={() => unfold(!isOpen)}
    >
      <MoreIcon aria-hidden />
      {!given.isNarrow && (
        <>
          {label}
          <ExpandIcon aria-hidden />
        </>
      )}
    </button>
  );
  return (
    <>
      {given.isNarrow ? (
        <Tooltip title={label} placement="right">
          {button}
        </Tooltip>
      ) : (
        button
      )}
      {isOpen && <Entries {...given} />}
    </>
  );
}

interface EntryLinkProps {
  entry: Entry;
  isNarrow: boolean;
  onLeave: (() => void) | undefined;
}

function EntryLink({ entry, isNarrow, onLeave }: EntryLinkProps) {
  const link = (
    <NavLink
      to={entry.to}
      end={entry.to === "/"}
      className={styles.entry ?? ""}
      onClick={onLeave}
      {...(isNarrow && { "aria-label": entry.label })}
    >
      <entry.icon aria-hidden />
      {!isNarrow && entry.label}
    </NavLink>
  );
  if (!isNarrow) return link;
  return (
    <Tooltip title={entry.label} placement="right">
      {link}
    </Tooltip>
  );
}
