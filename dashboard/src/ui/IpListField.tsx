import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";
import styles from "./ipListField.module.css";

type IpListFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { label?: string };

/** IP addresses and networks, one per line. */
export const IpListField = <Values extends FieldValues, Name extends Path<Values>>({
  label = t`Addresses and networks`,
  ...field
}: IpListFieldProps<Values, Name>) => (
  <FormField
    {...field}
    label={label}
    multiline
    minRows={3}
    maxRows={12}
    helperText={t`One per line, for example 203.0.113.0/24 or 2001:db8::7. Leave empty to allow any address.`}
    input={{ spellCheck: false, className: styles.addresses }}
  />
);
