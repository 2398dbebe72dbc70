import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useId, useEffect, useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import styles from "./bulk.module.css";
import { asProblem } from "../../api/problem";
import type { License } from "../../api/types";
import { runBulk, type BulkAction, type BulkInput, type BulkResult } from "./bulkActions";

interface BulkProgressProps {
  state: BulkState;
  onStop: () => void;
  onUndo: () => void;
  onClose: () => void;
}

const Named = ({ title, items }: { title: string; items: { id: string; text: string }[] }) => (
  <div>
    <Typography variant="subtitle1" component="p">
      {title}
    </Typography>
    <ul tabIndex={0} className={styles.failed}>
      {items.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  </div>
);

/** The result in a sentence: "2 licenses suspended, 1 failed." */
function resultOf({ action, total, done, refused, isStopped }: BulkState): string {
  const result = action.done(done.length);
  const failed = refused.length;
  const left = isStopped ? total - done.length - failed : 0;
  if (failed > 0 && left > 0)
    return t`${result}, ${plural(failed, { other: "# failed" })}, ${plural(left, { other: "# not started" })}.`;
  if (failed > 0) return t`${result}, ${plural(failed, { other: "# failed" })}.`;
  if (left > 0) return t`${result}, ${plural(left, { other: "# not started" })}.`;
  return t`${result}.`;
}

/** Progress of a bulk action and, at the end, its results per license. */
export default function BulkProgress({ state, onStop, onUndo, onClose }: BulkProgressProps) {
  const id = useId();
  const { action, total, done, refused, undoable, isRunning, isStopped } = state;
  const past = done.length + refused.length;
  return (
    <Dialog open aria-labelledby={id} onClose={isRunning ? undefined : onClose}>
      <DialogTitle id={id}>{isRunning ? action.title : t`Summary`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          {isRunning ? (
            <Column gap="s">
              <LinearProgress
                variant="determinate"
                value={total === 0 ? 100 : (past / total) * 100}
                aria-label={action.doing}
              />
              <Typography aria-live="polite">
                {t`${{ done: number(past) }} of ${{ total: number(total) }}`}
              </Typography>
            </Column>
          ) : (
            <Alert severity={refused.length > 0 || isStopped ? "warning" : "success"} role="status">
              {resultOf(state)}
            </Alert>
          )}
          {refused.length > 0 && (
            <Named
              title={t`Failed`}
              items={refused.map(({ license, why }) => ({
                id: license.id,
                text: `${license.licenseName}: ${why}`,
              }))}
            />
          )}
        </Column>
      </DialogContent>
      <DialogActions>
        {isRunning ? (
          <Button onClick={onStop} disabled={isStopped}>
            {t`Stop`}
          </Button>
        ) : (
          <>
            {undoable.length > 0 && <Button onClick={onUndo}>{t`Undo`}</Button>}
            <Button variant="contained" autoFocus onClick={onClose}>
              {t`Close`}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** How many licenses are sent at once, so that there is progress to show. */
const PART = 100;

interface BulkState extends BulkResult {
  action: BulkAction;
  total: number;
  /** Those that the action changed, which another action can undo. */
  undoable: License[];
  isRunning: boolean;
  isStopped: boolean;
}

/** Runs an action on licenses in parts; a part that fails does not stop the others. */
export function useBulkRun() {
  const [state, setState] = useState<BulkState | null>(null);
  const stopped = useRef(false);
  const queries = useQueryClient();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async (action: BulkAction, licenses: License[], given: BulkInput) => {
    stopped.current = false;
    const done: License[] = [];
    const refused: BulkResult["refused"] = [];
    const show = (isRunning: boolean) =>
      setState({
        action,
        total: licenses.length,
        done: [...done],
        refused: [...refused],
        undoable: action.undo ? done.filter(({ status }) => status !== "Suspended") : [],
        isRunning,
        isStopped: stopped.current,
      });
    show(true);
    for (let first = 0; first < licenses.length && !stopped.current; first += PART) {
      const part = licenses.slice(first, first + PART);
      try {
        const result = await runBulk(action.kind, part, given, false);
        done.push(...result.done);
        refused.push(...result.refused);
      } catch (error) {
        const why = asProblem(error).message;
        refused.push(...part.map((license) => ({ license, why })));
      }
      show(true);
    }
    show(false);
    void queries.invalidateQueries();
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
    close: () => setState(null),
  };
}
