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
import { number } from "../formats";
import { Column } from "../layout/layout";
import { BulkReasons } from "./BulkLists";

interface BulkProgressProps {
  title: string;
  /** How many are done or refused, of how many. */
  past: number;
  total: number;
  isRunning: boolean;
  isStopped: boolean;
  result: string;
  /** Why some were refused. */
  reasons: string[];
  onStop: () => void;
  onUndo?: () => void;
  onClose: () => void;
}

/** Progress of a bulk action and, at the end, its results if some were left out. */
export default function BulkProgress(props: BulkProgressProps) {
  const { title, past, total, isRunning, isStopped, result, reasons } = props;
  const { onStop, onUndo, onClose } = props;
  const id = useId();
  return (
    <Dialog open aria-labelledby={id} onClose={isRunning ? undefined : onClose}>
      <DialogTitle id={id}>{isRunning ? title : t`Some were skipped`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          {isRunning ? (
            <Column gap="s">
              <LinearProgress
                variant="determinate"
                value={total === 0 ? 100 : (past / total) * 100}
                aria-labelledby={id}
              />
              <Typography aria-live="polite">
                {t`${{ done: number(past) }} of ${{ total: number(total) }}`}
              </Typography>
            </Column>
          ) : (
            <Alert severity={reasons.length > 0 || isStopped ? "warning" : "success"} role="status">
              {result}
            </Alert>
          )}
          {reasons.length > 0 && <BulkReasons title={t`Failed`} reasons={reasons} />}
        </Column>
      </DialogContent>
      <DialogActions>
        {isRunning ? (
          <Button onClick={onStop} disabled={isStopped}>
            {t`Stop`}
          </Button>
        ) : (
          <>
            {onUndo && <Button onClick={onUndo}>{t`Undo`}</Button>}
            <Button variant="contained" autoFocus onClick={onClose}>
              {t`Close`}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
