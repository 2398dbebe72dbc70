import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import { useState } from "react";
import { pageKeys } from "../../ui/pageKeys";
import { rowsIn } from "../../ui/table/rows";
import { selectableList } from "../../ui/table/shownLists";
import { useCan } from "../../ui/useInstitution";
import { useEntries } from "./entries";
import styles from "./shortcuts.module.css";
import { useSingleKeys } from "./useShortcuts";

type Shortcut = readonly [keys: readonly string[], meaning: string];

/** What works on every page, but for letters that this page has for something else. */
function anywhere(manage: boolean): Shortcut[] {
  const isTaken = pageKeys().some(({ keys }) => keys.includes("c"));
  const hasSearch = document.querySelector("[data-hotkey~='/']") !== null;
  return [
    [[t`Ctrl`, "K", ...(hasSearch ? [] : ["/"])], t`Search everything, or jump to a page`],
    ...(hasSearch ? [[["/"], t`Search the list`] as const] : []),
    ...(manage && !isTaken ? [[["c"], t`Issue a license`] as const] : []),
    [["z"], t`Undo, while it is offered`],
    [["?"], t`Show these shortcuts`],
  ];
}

/** What works in the lists of the page, if it has any. */
function inLists(): Shortcut[] {
  if (rowsIn(document).length === 0) return [];
  const hasMenus = document.querySelector("[data-row] [aria-haspopup=menu]") !== null;
  return [
    [["↓", "j"], t`Go to the first row`],
    [["↑", "↓", "k", "j"], t`Go from row to row`],
    [[t`Enter`], t`Open the row`],
    ...(hasMenus ? [[["."], t`Open the menu of the row`] as const] : []),
    ...(selectableList() ? SELECTING : []),
    ...onSelection(),
  ];
}

const SELECTING: readonly Shortcut[] = [
  [["x"], t`Select the row`],
  [[t`Shift`, "↑↓"], t`Extend the selection`],
  [[t`Ctrl`, "A"], t`Select the page, then all that match`],
];

/** What can be done with what is selected. */
function onSelection(): Shortcut[] {
  const bar = document.querySelector("[data-bulk-bar]");
  if (!bar) return [];
  const letters = [...bar.querySelectorAll<HTMLElement>("[data-hotkey]")].flatMap(
    ({ dataset, textContent }) =>
      (dataset["hotkey"] ?? "")
        .split(" ")
        .filter((key) => /^[a-z]$/.test(key) && key !== "b")
        .map((key): Shortcut => [[key], textContent]),
  );
  return [
    [["b"], t`Go to the actions on the selection`],
    ...letters,
    [[t`Esc`], t`Clear the selection`],
  ];
}

/** A capital says that Shift is held, which the letter alone hardly tells. */
const shifted = (key: string): string => (/^[A-Z]$/.test(key) ? `⇧ ${key}` : key);

/** What the keys do. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [hasSingleKeys, setSingleKeys] = useSingleKeys();
  const pages = useEntries().flatMap(({ entries }) =>
    entries.flatMap(({ key, label }): Shortcut[] => (key ? [[["g", key], label]] : [])),
  );
  const { manage } = useCan();
  // As it was when they asked: the page is behind the dialog.
  const [{ here, everywhere, rows }] = useState(() => ({
    here: pageKeys().map(({ keys, meaning }): Shortcut => [keys.map(shifted), meaning]),
    everywhere: anywhere(manage),
    rows: inLists(),
  }));
  return (
    <Dialog open maxWidth="md" onClose={onClose} aria-labelledby="shortcuts-title">
      <DialogTitle id="shortcuts-title">{t`Keyboard shortcuts`}</DialogTitle>
      <DialogContent tabIndex={0}>
        <div className={styles.columns}>
          {here.length > 0 && <Shortcuts title={t`On this page`} shortcuts={here} />}
          <Shortcuts title={t`Anywhere`} shortcuts={everywhere} />
          {rows.length > 0 && <Shortcuts title={t`In lists`} shortcuts={rows} />}
          <Shortcuts title={t`Pages`} shortcuts={pages} />
        </div>
      </DialogContent>
      <DialogActions>
        <FormControlLabel
          className={styles.choice}
          control={
            <Switch checked={hasSingleKeys} onChange={(_, checked) => setSingleKeys(checked)} />
          }
          label={t`Use single keys`}
        />
        <Button variant="contained" onClick={onClose}>
          {t`Close`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Shortcuts = ({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) => (
  <section aria-label={title}>
    <h3 className={styles.title}>{title}</h3>
    <dl className={styles.list}>
      {shortcuts.map(([keys, meaning]) => (
        <div key={meaning}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </section>
);
