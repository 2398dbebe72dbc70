import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { FormDialog } from "./form/FormDialog";
import { useApiForm, type ApiForm } from "./form/useApiForm";

interface ConfirmProps {
  title: string;
  /** What happens, who is affected, and whether it can be undone. */
  consequence: ReactNode;
  /** Label of the confirm button: "Revoke license". */
  action: string;
  onClose: () => void;
  /** If set, the user must type it to enable the button. */
  typed?: string;
  danger?: boolean;
  /** Disables the button, for example while nothing is chosen. */
  disabled?: boolean;
}

export interface ConfirmDialogProps<Sent = unknown> extends ConfirmProps {
  onConfirm: () => Promise<Sent>;
  /** A toast for when it was done; what the page shows is then fetched again. */
  done?: string | ((sent: Sent) => string);
  /** Takes it back, from the toast. */
  undo?: () => Promise<unknown>;
  /** What else they should see before. */
  children?: ReactNode;
}

/** Confirms an action that is hard to undo. Stays open and shows the error if it fails. */
export function ConfirmDialog<Sent>(props: ConfirmDialogProps<Sent>) {
  const { onConfirm: send, done, undo, ...dialog } = props;
  const form = useApiForm({
    values: {},
    send,
    ...(done && { done: typeof done === "string" ? done : (_: object, sent: Sent) => done(sent) }),
    ...(undo && { undo }),
  });
  return <ConfirmFormDialog form={form} {...dialog} />;
}

interface ConfirmFormDialogProps<Values extends FieldValues> extends ConfirmProps {
  form: ApiForm<Values>;
  children?: ReactNode;
}

/** The same with fields, such as a reason. */
export function ConfirmFormDialog<Values extends FieldValues>(
  props: ConfirmFormDialogProps<Values>,
) {
  const { consequence, typed, disabled = false, children, ...dialog } = props;
  const [text, setText] = useState("");
  const isTyped = typed === undefined || text.trim() === typed.trim();
  return (
    <FormDialog {...dialog} disabled={disabled || !isTyped}>
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
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
