import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { lazy, type LazyComponent } from "../lazy";
import { ActMenu } from "../menu/ActMenu";
import { useWayBack } from "../table/rows";
import styles from "./bulk.module.css";
import {
  type BulkBatch,
  type BulkOptions,
  namesOf,
  reasonsOf,
  resultOf,
  useBulkRun,
} from "./useBulkRun";
import { MatchingBeyond, SelectMatching } from "./SelectMatching";
import type { Selection } from "../table/selection/useSelection";

const BulkProgress = lazy(() => import("./BulkProgress"));

/** More names would not fit into a tooltip. */
const SHOWN_MAX = 20;

export interface BulkDialogProps<T, Given, Kind> {
  kind: Kind;
  items: T[];
  /** Offers those that match besides the items; nothing if there are none. */
  beyond: ReactNode;
  onStart: (batch: BulkBatch<T, Given>) => void;
  onClose: () => void;
}

interface BulkBarProps<T, Given, Kind extends string> extends BulkOptions<T, Given, Kind> {
  selection: Selection<T>;
  /** Those with a button. */
  shown: readonly Kind[];
  /** Those that are less frequent, in a menu. */
  more?: readonly Kind[];
  /** Confirms an action. */
  Dialog: LazyComponent<BulkDialogProps<T, Given, Kind>>;
  /** What changes nothing and needs no confirmation. */
  children?: ReactNode;
}

function hotkeys(...given: (string | undefined)[]) {
  const keys = given.filter((key) => key !== undefined).join(" ");
  return keys !== "" && { "data-hotkey": keys, "aria-keyshortcuts": keys };
}

/** Actions on the selected items of a list; afterwards the focus is back in the list. */
export function BulkBar<T extends { id: string }, Given, Kind extends string>(
  props: BulkBarProps<T, Given, Kind>,
) {
  const { selection, actions, shown, more = [], Dialog, children } = props;
  const { items } = selection;
  const moreButton = useRef<HTMLButtonElement>(null);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [asking, setAsking] = useState<Kind | null>(null);
  const { onFocus, goBack } = useWayBack();
  const finish = (done: T[]) => {
    // What failed stays selected so that the user can retry.
    selection.set(done, false);
    goBack();
  };
  const { state, start, stop, close } = useBulkRun(props, finish);
  const isSelected = items.length > 0;
  useEffect(() => {
    if (isSelected) Dialog.preload();
  }, [isSelected, Dialog]);
  const clear = () => {
    selection.clear();
    goBack();
  };
  const back = state?.action.undo?.kind;
  const names = items.map(selection.nameOf);
  const mayHelp = (kind: Kind) => items.some((item) => actions[kind].fits?.(item) ?? true);
  return (
    <>
      {isSelected && <div className={styles.room} />}
      {isSelected && (
        <div className={styles.dock}>
          <div
            role="region"
            aria-label={t`Selection`}
            className={styles.bar}
            data-bulk-bar
            onFocus={onFocus}
            onKeyDown={({ key }) => {
              if (key !== "Escape") return;
              // The menu, or a dialog that is still being loaded, is meant first.
              if (isMoreOpen) return;
              if (asking) setAsking(null);
              else clear();
            }}
          >
            <span className={styles.count} aria-live="polite">
              {plural(items.length, { other: "# selected" })}
            </span>
            <span className={styles.names} title={namesOf(names, SHOWN_MAX)}>
              {namesOf(names)}
            </span>
            <div className={styles.acts}>
              <SelectMatching selection={selection} />
              {shown.filter(mayHelp).map((kind, place) => (
                <Button
                  key={kind}
                  {...hotkeys(place === 0 ? "b" : undefined, actions[kind].key)}
                  size="small"
                  variant="outlined"
                  color={actions[kind].danger ? "error" : "primary"}
                  onClick={() => setAsking(kind)}
                >
                  {actions[kind].label}
                </Button>
              ))}
              {more.length > 0 && (
                <>
                  <Button
                    ref={moreButton}
                    size="small"
                    variant="outlined"
                    aria-haspopup="menu"
                    aria-expanded={isMoreOpen}
                    onClick={() => setMoreOpen(true)}
                  >
                    {t`More`}
                  </Button>
                  <ActMenu
                    open={isMoreOpen}
                    anchor={() => moreButton.current}
                    acts={more.map((kind) => ({
                      label: actions[kind].label,
                      act: () => setAsking(kind),
                    }))}
                    onClose={() => setMoreOpen(false)}
                  />
                </>
              )}
              {children}
              <Button size="small" onClick={clear}>
                {t`Clear selection`}
              </Button>
            </div>
          </div>
        </div>
      )}
      <Suspense fallback={null}>
        {asking && (
          <Dialog
            kind={asking}
            items={items}
            beyond={<MatchingBeyond selection={selection} />}
            onStart={(batch) => void start(asking, [batch])}
            onClose={() => setAsking(null)}
          />
        )}
        {state && (
          <BulkProgress
            title={state.action.title}
            past={state.done.length + state.refused.length}
            total={state.total}
            isRunning={state.isRunning}
            isStopped={state.isStopped}
            result={resultOf(state)}
            reasons={reasonsOf(state.refused, selection.nameOf)}
            onStop={stop}
            {...(back &&
              state.undo.length > 0 && {
                onUndo: () => void start(back, state.undo, state.action),
              })}
            onClose={() => {
              close();
              finish(state.done);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
