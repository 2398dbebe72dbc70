import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { FormField } from "../../../ui/form/FormField";
import type { FieldProps } from "../../../ui/form/useApiForm";

type ReasonFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { helperText?: string };

export const ReasonField = <Values extends FieldValues, Name extends Path<Values>>({
  helperText = t`Optional. Recorded in the audit log.`,
  ...field
}: ReasonFieldProps<Values, Name>) => (
  <FormField
    {...field}
    label={t`Reason`}
    multiline
    demand={{ maxLength: 500 }}
    helperText={helperText}
  />
);
