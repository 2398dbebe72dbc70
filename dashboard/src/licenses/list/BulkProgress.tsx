import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { number } from "../../ui/formats";
import type { BulkState } from "./useBulkRun";

interface BulkProgressProps {
  state: BulkState;
  onStop: () => void;
  onUndo: () => void;
  onClose: () => void;
}

const Named = ({ title, items }: { title: string; items: { id: string; text: string }[] }) => (
  <Box>
    <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
    <Box component="ul" tabIndex={0} sx={{ m: 0, pl: 2.5, maxHeight: 220, overflow: "auto" }}>
      {items.map(({ id, text }) => (
        <Box component="li" key={id} sx={{ overflowWrap: "anywhere" }}>
          {text}
        </Box>
      ))}
    </Box>
  </Box>
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
export function BulkProgress({ state, onStop, onUndo, onClose }: BulkProgressProps) {
  const id = useId();
  const { action, total, done, refused, undoable, isRunning, isStopped } = state;
  const past = done.length + refused.length;
  return (
    <Dialog open aria-labelledby={id} onClose={isRunning ? undefined : onClose}>
      <DialogTitle id={id}>{isRunning ? action.title : t`Summary`}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          {isRunning ? (
            <Box>
              <LinearProgress
                variant="determinate"
                value={total === 0 ? 100 : (past / total) * 100}
                aria-label={action.doing}
                sx={{ height: 8, borderRadius: 4, mb: 1 }}
              />
              <Typography aria-live="polite">
                {t`${{ done: number(past) }} of ${{ total: number(total) }}`}
              </Typography>
            </Box>
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
        </Stack>
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
