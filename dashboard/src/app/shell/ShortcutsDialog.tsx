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
import { useEntries } from "./entries";
import styles from "./shortcuts.module.css";
import { useSingleKeys } from "./useShortcuts";

type Shortcut = readonly [keys: readonly string[], meaning: string];

const ANYWHERE: readonly Shortcut[] = [
  [[t`Ctrl`, "K"], t`Search everything, or jump to a page`],
  [["/"], t`Search the list`],
  [["c"], t`Issue a license`],
  [["z"], t`Undo, while it is offered`],
  [["?"], t`Show these shortcuts`],
];

const IN_LISTS: readonly Shortcut[] = [
  [["↓", "j"], t`Go to the first row`],
  [["↑", "↓", "k", "j"], t`Go from row to row`],
  [[t`Enter`], t`Open the row`],
  [["."], t`Open the menu of the row`],
  [["x"], t`Select the row`],
  [[t`Shift`, "↑↓"], t`Extend the selection`],
  [[t`Ctrl`, "A"], t`Select all on this page`],
  [["b"], t`Go to the actions on the selection`],
  [["e", "s"], t`Extend or suspend the selected licenses`],
  [[t`Esc`], t`Clear the selection`],
];

/** What the keys do. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [hasSingleKeys, setSingleKeys] = useSingleKeys();
  const pages = useEntries().flatMap(({ entries }) =>
    entries.flatMap(({ key, label }): Shortcut[] => (key ? [[["g", key], label]] : [])),
  );
  const [here] = useState(() => pageKeys().map(({ keys, meaning }): Shortcut => [keys, meaning]));
  return (
    <Dialog open onClose={onClose} aria-labelledby="shortcuts-title">
      <DialogTitle id="shortcuts-title">{t`Keyboard shortcuts`}</DialogTitle>
      <DialogContent tabIndex={0}>
        <div className={styles.columns}>
          {here.length > 0 && <Shortcuts title={t`On this page`} shortcuts={here} />}
          <Shortcuts title={t`Anywhere`} shortcuts={ANYWHERE} />
          <Shortcuts title={t`In lists`} shortcuts={IN_LISTS} />
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
