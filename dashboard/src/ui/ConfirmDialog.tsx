import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { ProblemAlert } from "./ProblemAlert";

interface ConfirmDialogProps {
  title: string;
  /** What happens, to whom, and whether it can be undone. */
  consequence: ReactNode;
  /** The verb on the button: "Revoke license". */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Where set, it has to be typed before the button works. */
  typed?: string;
  danger?: boolean;
  /** While the fields do not fit. */
  disabled?: boolean;
  /** Further fields, such as a reason. */
  children?: ReactNode;
}

/** Asks before something is changed that is hard to take back; stays open with the refusal. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, consequence, action, onConfirm, onClose, typed, danger = false, children } = props;
  const id = useId();
  const [text, setText] = useState("");
  const isWrong = typed !== undefined && text.trim() !== typed.trim();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={busy ? undefined : onClose} aria-labelledby={`${id}-title`}>
      <form onSubmit={(event) => void confirm(event)}>
        <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
        <DialogContent>
          <Stack sx={{ gap: 2 }}>
            <DialogContentText component="div">{consequence}</DialogContentText>
            {children}
            {typed !== undefined && (
              <TextField
                label={`Type “${typed}” to go on`}
                value={text}
                autoComplete="off"
                fullWidth
                onChange={(event) => {
                  setText(event.target.value);
                }}
              />
            )}
            {error !== null && <ProblemAlert error={error} />}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={danger ? "error" : "primary"}
            loading={busy}
            disabled={isWrong || props.disabled === true}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
