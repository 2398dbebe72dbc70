import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import styles from "./bulk.module.css";
import { type BulkState, reasonsOf, resultOf } from "./bulkActions";

interface BulkProgressProps {
  state: BulkState;
  onStop: () => void;
  onUndo: () => void;
  onClose: () => void;
}

const Named = ({ title, items }: { title: string; items: string[] }) => (
  <div>
    <Typography variant="subtitle1" component="p">
      {title}
    </Typography>
    <ul tabIndex={0} className={styles.failed}>
      {items.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </div>
);

/** Progress of a bulk action and, at the end, its results if some were left out. */
export default function BulkProgress({ state, onStop, onUndo, onClose }: BulkProgressProps) {
  const id = useId();
  const { action, total, done, refused, undo, isRunning, isStopped } = state;
  const past = done.length + refused.length;
  return (
    <Dialog open aria-labelledby={id} onClose={isRunning ? undefined : onClose}>
      <DialogTitle id={id}>{isRunning ? action.title : t`Some licenses were skipped`}</DialogTitle>
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
          {refused.length > 0 && <Named title={t`Failed`} items={reasonsOf(refused)} />}
        </Column>
      </DialogContent>
      <DialogActions>
        {isRunning ? (
          <Button onClick={onStop} disabled={isStopped}>
            {t`Stop`}
          </Button>
        ) : (
          <>
            {undo.length > 0 && <Button onClick={onUndo}>{t`Undo`}</Button>}
            <Button variant="contained" autoFocus onClick={onClose}>
              {t`Close`}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
