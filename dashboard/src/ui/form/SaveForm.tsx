import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Column } from "../layout/layout";
import { UnsavedGuard } from "../UnsavedGuard";
import { Form, FormProblem, SubmitButton } from "./Form";
import styles from "./saveForm.module.css";
import type { ApiForm } from "./useApiForm";

interface SaveFormProps<Values extends FieldValues> {
  form: ApiForm<Values>;
  children: ReactNode;
}

/**
 * A form that stands on a page. As soon as something is changed, a bar at the lower edge saves or
 * discards all of it, and leaving the page asks.
 */
export function SaveForm<Values extends FieldValues>({ form, children }: SaveFormProps<Values>) {
  const { isDirty, isSubmitting } = form.formState;
  const discard = () => {
    form.forgetError();
    form.reset();
  };
  return (
    <Form form={form}>
      <Column gap="l">
        {children}
        <div className={styles.bar} data-shown={isDirty || undefined}>
          <FormProblem />
          <div className={styles.line}>
            <span role="status">{isDirty && t`Unsaved changes`}</span>
            {isDirty && (
              <>
                <Button disabled={isSubmitting} onClick={discard}>
                  {t`Discard`}
                </Button>
                <SubmitButton>{t`Save`}</SubmitButton>
              </>
            )}
          </div>
        </div>
      </Column>
      <UnsavedGuard when={isDirty} />
    </Form>
  );
}
