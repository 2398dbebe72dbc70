import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { FormField, type FormFieldProps } from "../ui/form/FormField";
import type { FieldProps } from "../ui/form/useApiForm";

/** The address that somebody signs in with. */
export const EmailField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FormFieldProps<Values, Name>,
) => (
  <FormField type="email" label={t`Email address`} autoComplete="username" required {...props} />
);

export const NameField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
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
