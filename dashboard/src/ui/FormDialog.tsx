import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import { useId, type ReactNode } from "react";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "./Form";

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

/** A form in a dialog. Closes on success; stays open and shows the error on failure. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, onSubmit, onClose, danger = false, disabled = false, children } = props;
  const id = useId();
  const { attempt, submit } = useFormSubmission(async () => {
    await onSubmit();
    onClose();
  });
  return (
    <Dialog open onClose={attempt.busy ? undefined : onClose} aria-labelledby={id}>
      <Form attempt={attempt} submit={submit}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Stack sx={{ gap: 2, pt: 0.75 }}>
            {children}
            <FormProblem />
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={attempt.busy}>
            Cancel
          </Button>
          <SubmitButton color={danger ? "error" : "primary"} disabled={disabled}>
            {action}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
