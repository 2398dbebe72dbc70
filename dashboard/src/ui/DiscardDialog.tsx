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
      <DialogTitle id={id}>Discard your changes?</DialogTitle>
      <DialogContent>What you typed has not been saved.</DialogContent>
      <DialogActions>
        <Button onClick={onStay}>Keep editing</Button>
        <Button variant="contained" color="error" onClick={onDiscard}>
          Discard
        </Button>
      </DialogActions>
    </Dialog>
  );
}
