import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useEffect, useRef, useState } from "react";
import { asProblem } from "../../api/problem";
import type { License } from "../../api/types";
import { number } from "../../ui/formats";
import { lazy } from "../../ui/lazy";
import { ActMenu } from "../../ui/menu/ActMenu";
import type { Selection } from "../../ui/table/selection/useSelection";
import { useWayBack } from "../../ui/table/rows";
import { notify } from "../../ui/toasts/toasts";
import styles from "./bulk.module.css";
import { BULK_ACTIONS, BULK_MAX, type BulkKind, namesOf, useBulkRun } from "./bulkActions";
import { useLicenseList } from "./useLicenseList";

const BulkDialog = lazy(() => import("./BulkDialog"));
const BulkProgress = lazy(() => import("./BulkProgress"));

const KINDS: BulkKind[] = ["suspend", "reinstate", "extend", "revoke"];
/** Those that are less frequent, in a menu. */
const MORE: BulkKind[] = [
  "addTag",
  "removeTag",
  "setRelease",
  "applyPolicy",
  "setEntitlementSet",
  "convert",
];

/** More names would not fit into a tooltip. */
const SHOWN_MAX = 20;

/** Offers all licenses that match the filters once those of the page are selected. */
function SelectMatching({ selection }: { selection: Selection<License> }) {
  const { items = [], total = 0, fetchUpTo } = useLicenseList();
  const [busy, setBusy] = useState(false);
  const count = Math.min(total, BULK_MAX);
  const isWholePage = items.every(({ id }) => selection.has(id));
  if (!isWholePage || selection.items.length >= count) return null;
  const select = async () => {
    setBusy(true);
    try {
      selection.set(await fetchUpTo(count), true);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return (
    <Button size="small" loading={busy} onClick={() => void select()}>
      {total > BULK_MAX
        ? t`Select the first ${{ most: number(BULK_MAX) }} of ${{ total: number(total) }}`
        : plural(total, { other: "Select all # that match" })}
    </Button>
  );
}

/** Actions on the selected licenses; afterwards the focus is back in the list. */
export function BulkBar({ selection }: { selection: Selection<License> }) {
  const { items } = selection;
  const moreButton = useRef<HTMLButtonElement>(null);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [asking, setAsking] = useState<BulkKind | null>(null);
  const { onFocus, goBack } = useWayBack();
  const finish = (done: License[]) => {
    // Failed licenses stay selected so that the user can retry.
    selection.set(done, false);
    goBack();
  };
  const { state, start, stop, close } = useBulkRun(finish);
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
            // The menu, or a dialog that is still being loaded, is meant first.
            if (isMoreOpen) return;
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
          <span className={styles.names} title={namesOf(items, SHOWN_MAX)}>
            {namesOf(items)}
          </span>
          <SelectMatching selection={selection} />
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
            acts={MORE.map((kind) => ({
              label: BULK_ACTIONS[kind].label,
              act: () => setAsking(kind),
            }))}
            onClose={() => setMoreOpen(false)}
          />
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
            onStart={(batch) => void start(BULK_ACTIONS[asking], [batch])}
            onClose={() => setAsking(null)}
          />
        )}
        {state && (
          <BulkProgress
            state={state}
            onStop={stop}
            onUndo={() => {
              const { undo } = state.action;
              if (undo) void start(BULK_ACTIONS[undo.kind], state.undo);
            }}
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
