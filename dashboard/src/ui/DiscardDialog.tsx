import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId } from "react";

interface DiscardDialogProps {
  onDiscard: () => void;
  onStay: () => void;
}

/** Asks before what was typed is lost. */
export function DiscardDialog({ onDiscard, onStay }: DiscardDialogProps) {
  const id = useId();
  return (
    <Dialog open maxWidth="xs" onClose={onStay} aria-labelledby={id}>
      <DialogTitle id={id}>{t`Discard your changes?`}</DialogTitle>
      <DialogContent>{t`What you typed has not been saved.`}</DialogContent>
      <DialogActions>
        <Button onClick={onStay}>{t`Keep editing`}</Button>
        <Button variant="contained" color="error" onClick={onDiscard}>
          {t`Discard`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
