import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, useState, type ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { DiscardDialog } from "../DiscardDialog";
import { Form, FormProblem, SubmitButton } from "./Form";
import styles from "./formDialog.module.css";
import type { ApiForm } from "./useApiForm";

interface FormDialogProps<Values extends FieldValues> {
  form: ApiForm<Values>;
  title: string;
  /** Label of the submit button: "Add feature". */
  action: string;
  onClose: () => void;
  danger?: boolean;
  /** Disables the submit button, for example until a word is typed. */
  disabled?: boolean;
  /** Whether something is still loading that decides what is sent; it is sent once that is there. */
  isLoading?: boolean;
  children: ReactNode;
}

const FIELDS =
  "input:not([aria-hidden=true], :disabled), textarea:not([aria-hidden=true], :disabled), [role=combobox]";

const WITHOUT_FIELDS = "[data-focus]";

/** Gives the first field the focus, unless another one has asked for it; without any, a button. */
function focusOnFirst(form: HTMLElement | null): void {
  if (form?.contains(document.activeElement) && document.activeElement?.matches(FIELDS)) return;
  const first = form?.querySelector<HTMLElement>(FIELDS);
  (first ?? form?.querySelector<HTMLElement>(WITHOUT_FIELDS))?.focus();
}

/**
 * A form in a dialog. Its first field has the focus; without one, the button that does it, or
 * Cancel where that is grave. Closes on success; stays open and shows the error beside its buttons
 * on failure. Ctrl/Cmd+Enter sends it. Escape and a click beside it do not drop what was filled in.
 */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { form, title, action, onClose, danger = false, disabled = false, children } = props;
  const { isLoading = false } = props;
  const id = useId();
  const [isLeaving, setLeaving] = useState(false);
  const { isDirty, isSubmitting } = form.formState;
  const leave = () => {
    if (isSubmitting) return;
    if (isDirty) setLeaving(true);
    else onClose();
  };
  return (
    <Dialog open onClose={leave} aria-labelledby={id}>
      <Form
        ref={focusOnFirst}
        form={form}
        isLoading={isLoading}
        onDone={onClose}
        onKeyDown={(event) => {
          const isCalled = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (isCalled && !disabled && !isSubmitting) event.currentTarget.requestSubmit();
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <div className={styles.fields}>{children}</div>
        </DialogContent>
        <div className={styles.problem}>
          <FormProblem />
        </div>
        <DialogActions>
          <Button onClick={onClose} disabled={isSubmitting} data-focus={danger || undefined}>
            {t`Cancel`}
          </Button>
          <SubmitButton
            color={danger ? "error" : "primary"}
            disabled={disabled}
            data-focus={danger ? undefined : true}
          >
            {action}
          </SubmitButton>
        </DialogActions>
      </Form>
      {isLeaving && <DiscardDialog onDiscard={onClose} onStay={() => setLeaving(false)} />}
    </Dialog>
  );
}
