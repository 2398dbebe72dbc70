import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, useState, type ReactNode } from "react";
import { DiscardDialog } from "./DiscardDialog";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "./Form";
import styles from "./formDialog.module.css";

interface FormDialogProps {
  title: string;
  /** Label of the submit button: "Add feature". */
  action: string;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  danger?: boolean;
  /** Disables the submit button, for example while a field is missing. */
  disabled?: boolean;
  children: ReactNode;
}

/** Whether typing there changes nothing that could be lost, such as a word to confirm. */
const isPassing = (target: EventTarget) =>
  target instanceof Element && target.closest("[data-passing]") !== null;

/**
 * A form in a dialog. Closes on success; stays open and shows the error on failure. Escape and a
 * click beside it do not drop what was typed.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, action, onSubmit, onClose, danger = false, disabled = false, children } = props;
  const id = useId();
  const [isTouched, setTouched] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const { attempt, submit } = useFormSubmission(async () => {
    await onSubmit();
    onClose();
  });
  const leave = () => {
    if (attempt.busy) return;
    if (isTouched) setLeaving(true);
    else onClose();
  };
  return (
    <Dialog open onClose={leave} aria-labelledby={id}>
      <Form
        attempt={attempt}
        submit={submit}
        onInput={(event) => {
          if (!isPassing(event.target)) setTouched(true);
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <div className={styles.fields}>
            {children}
            <FormProblem />
          </div>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={attempt.busy}>
            {t`Cancel`}
          </Button>
          <SubmitButton color={danger ? "error" : "primary"} disabled={disabled}>
            {action}
          </SubmitButton>
        </DialogActions>
      </Form>
      {isLeaving && (
        <DiscardDialog
          onDiscard={onClose}
          onStay={() => {
            setLeaving(false);
          }}
        />
      )}
    </Dialog>
  );
}
