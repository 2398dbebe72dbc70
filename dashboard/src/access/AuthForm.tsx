import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { FormField, type FormFieldProps } from "../ui/form/FormField";
import type { ApiForm, FieldProps } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import { PageLink } from "../ui/PageLink";
import styles from "./access.module.css";

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

/** A link to another page for signed-out users. */
export const AuthLink = ({
  to,
  state,
  children,
}: {
  to: string;
  state?: unknown;
  children: ReactNode;
}) => (
  <PageLink to={to} state={state} variant="body2" className={styles.link}>
    {children}
  </PageLink>
);

/** The address that somebody signs in with. */
export const EmailField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FormFieldProps<Values, Name>,
) => (
  <FormField type="email" label={t`Email address`} autoComplete="username" required {...props} />
);

export const NameField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FormFieldProps<Values, Name>,
) => <FormField {...props} label={t`Full name`} autoComplete="name" required />;

/** The institution of its first user. */
export const InstitutionField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
) => (
  <FormField
    {...props}
    label={t`Institution`}
    helperText={t`Your company or team. You can rename it later.`}
    autoComplete="organization"
  />
);

/** Lets the user enter the code from an email by hand if they did not open its link. */
export const TokenField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
) => (
  <FormField
    {...props}
    label={t`Code from the email`}
    helperText={t`It is below the link in the email. Opening the link fills it in.`}
    required
    autoFocus
    input={{ spellCheck: false }}
  />
);
