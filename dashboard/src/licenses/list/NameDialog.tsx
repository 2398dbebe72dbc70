import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { useId, useState, type FormEvent } from "react";

interface NameDialogProps {
  title: string;
  hint?: string;
  name?: string;
  /** Names already in use. */
  taken: string[];
  onName: (name: string) => void;
  onClose: () => void;
}

/** Edits the name of a view. */
export function NameDialog({ title, hint, name = "", taken, onName, onClose }: NameDialogProps) {
  const id = useId();
  const [text, setText] = useState(name);
  const label = text.trim();
  const isTaken = taken.includes(label);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(label);
    onClose();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" aria-labelledby={id}>
      <form onSubmit={submit}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <TextField
            label="Name"
            value={text}
            autoFocus
            fullWidth
            margin="dense"
            slotProps={{ htmlInput: { maxLength: 60 } }}
            error={isTaken}
            helperText={isTaken ? "You already have a view with this name. Choose another." : hint}
            onChange={(event) => {
              setText(event.target.value);
            }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" disabled={label === "" || isTaken}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
