import DialogContentText from "@mui/material/DialogContentText";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { FormDialog } from "./FormDialog";

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
  /** While the further fields do not fit. */
  disabled?: boolean;
  /** Further fields, such as a reason. */
  children?: ReactNode;
}

/** Asks before something is changed that is hard to take back; stays open with the refusal. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { consequence, onConfirm, typed, disabled = false, children, ...dialog } = props;
  const [text, setText] = useState("");
  return (
    <FormDialog
      {...dialog}
      onSubmit={onConfirm}
      disabled={disabled || (typed !== undefined && text.trim() !== typed.trim())}
    >
      <DialogContentText component="div">{consequence}</DialogContentText>
      {children}
      {typed !== undefined && (
        <TextField
          label={`Type “${typed}” to go on`}
          value={text}
          // A long one does not fit into the label.
          helperText={typed.length > 40 && typed}
          autoComplete="off"
          fullWidth
          onChange={(event) => {
            setText(event.target.value);
          }}
        />
      )}
    </FormDialog>
  );
}
