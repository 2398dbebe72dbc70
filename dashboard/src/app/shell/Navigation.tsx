import { t } from "@lingui/core/macro";
import Tooltip from "@mui/material/Tooltip";
import { NavLink } from "react-router";
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
          {label && <p className={styles.groupLabel}>{label}</p>}
          <ul>
            {entries.map((entry) => (
              <li key={entry.to}>
                <EntryLink entry={entry} isNarrow={isNarrow} onLeave={onLeave} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
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
