import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { FormDialog } from "./FormDialog";

interface ConfirmDialogProps {
  title: string;
  /** What happens, who is affected, and whether it can be undone. */
  consequence: ReactNode;
  /** Label of the confirm button: "Revoke license". */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** If set, the user must type it to enable the button. */
  typed?: string;
  danger?: boolean;
  /** Disables the button, for example while a field is invalid. */
  disabled?: boolean;
  /** Additional fields, such as a reason. */
  children?: ReactNode;
}

/** Confirms an action that is hard to undo. Stays open and shows the error if it fails. */
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
          label={t`Type “${typed}” to confirm`}
          value={text}
          // Long text does not fit into the label.
          helperText={typed.length > 40 && typed}
          autoComplete="off"
          fullWidth
          data-passing
          onChange={(event) => {
            setText(event.target.value);
          }}
        />
      )}
    </FormDialog>
  );
}
