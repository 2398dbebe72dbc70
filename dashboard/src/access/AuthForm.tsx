import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import type { ApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";

interface AuthFormProps<Values extends FieldValues> {
  form: ApiForm<Values>;
  /** Label of the submit button. */
  action: string;
  children?: ReactNode;
}

/** A form with its error message, until somebody types, and one submit button. */
export const AuthForm = <Values extends FieldValues>(props: AuthFormProps<Values>) => (
  <Form form={props.form}>
    <Column gap="l" onChange={props.form.forgetError}>
      {props.children}
      <FormProblem />
      <SubmitButton size="large">{props.action}</SubmitButton>
    </Column>
  </Form>
);
