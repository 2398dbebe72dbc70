import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useEffect, useState } from "react";
import type { License } from "../../api/types";
import { lazy } from "../../ui/lazy";
import type { Selection } from "../../ui/table/selection/useSelection";
import { useWayBack } from "../../ui/table/rows";
import styles from "./bulk.module.css";
import { BULK_ACTIONS, type BulkKind, useBulkRun } from "./bulkActions";

const BulkDialog = lazy(() => import("./BulkDialog"));
const BulkProgress = lazy(() => import("./BulkProgress"));

const KINDS: BulkKind[] = ["suspend", "reinstate", "extend", "addTag", "removeTag", "revoke"];

const SHOWN = 3;

/** What is selected, by name: "Alpha, Beta and 2 more". */
function namesOf(items: readonly License[], shown: number): string {
  const first = items.slice(0, shown).map(({ licenseName }) => licenseName);
  const names = first.join(", ");
  const rest = items.length - first.length;
  return rest > 0 ? plural(rest, { other: `${names} and # more` }) : names;
}

/** Actions on the selected licenses; afterwards the focus is back in the list. */
export function BulkBar({ selection }: { selection: Selection<License> }) {
  const { items } = selection;
  const [asking, setAsking] = useState<BulkKind | null>(null);
  const { state, start, stop, close } = useBulkRun();
  const { onFocus, goBack } = useWayBack();
  const isSelected = items.length > 0;
  useEffect(() => {
    if (isSelected) BulkDialog.preload();
  }, [isSelected]);
  const clear = () => {
    selection.clear();
    goBack();
  };
  return (
    <>
      {isSelected && (
        <div
          role="region"
          aria-label={t`Selected licenses`}
          className={styles.bar}
          onFocus={onFocus}
          onKeyDown={({ key }) => {
            if (key !== "Escape") return;
            // A dialog that is still being loaded is meant first.
            if (asking) setAsking(null);
            else clear();
          }}
        >
          <span className={styles.count} aria-live="polite">
            {plural(
              { count: items.length },
              { one: "# license selected", other: "# licenses selected" },
            )}
          </span>
          <span className={styles.names} title={namesOf(items, items.length)}>
            {namesOf(items, SHOWN)}
          </span>
          {KINDS.map((kind, place) => (
            <Button
              key={kind}
              {...(place === 0 && { "data-hotkey": "b", "aria-keyshortcuts": "b" })}
              size="small"
              variant="outlined"
              color={BULK_ACTIONS[kind].danger ? "error" : "primary"}
              onClick={() => setAsking(kind)}
            >
              {BULK_ACTIONS[kind].label}
            </Button>
          ))}
          <Button size="small" onClick={clear}>
            {t`Clear selection`}
          </Button>
        </div>
      )}
      <Suspense fallback={null}>
        {asking && (
          <BulkDialog
            kind={asking}
            licenses={items}
            onStart={(licenses, given) => void start(BULK_ACTIONS[asking], licenses, given)}
            onClose={() => setAsking(null)}
          />
        )}
        {state && (
          <BulkProgress
            state={state}
            onStop={stop}
            onUndo={() => {
              const { action, given, undoable } = state;
              if (action.undo)
                void start(BULK_ACTIONS[action.undo], undoable, {
                  ...given,
                  reason: "",
                  end: null,
                });
            }}
            onClose={() => {
              // Failed licenses stay selected so that the user can retry.
              selection.set(state.done, false);
              close();
              goBack();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
