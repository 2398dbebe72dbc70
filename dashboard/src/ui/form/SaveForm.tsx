import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Column } from "../layout/layout";
import { Form, FormProblem, SubmitButton } from "./Form";
import type { ApiForm } from "./useApiForm";

interface SaveFormProps<Values extends FieldValues> {
  form: ApiForm<Values>;
  /** Label of the button: "Save limits". */
  action: string;
  /** What happens when it was sent. */
  onDone?: () => void;
  children: ReactNode;
}

/** A form that stands on a page: its fields, and a button that saves them once they are changed. */
export function SaveForm<Values extends FieldValues>(props: SaveFormProps<Values>) {
  const { form, action, onDone, children } = props;
  const { isDirty } = form.formState;
  return (
    <Form form={form} {...(onDone && { onDone })}>
      <Column gap="l">
        {children}
        <FormProblem />
        <div>
          <SubmitButton disabled={!isDirty}>{action}</SubmitButton>
        </div>
      </Column>
    </Form>
  );
}
