import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useRef, type InputHTMLAttributes, type ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { fieldLabel } from "../fields";
import { faultOfEmail, isEmpty, type Check } from "./check";
import type { FieldProps } from "./useApiForm";
import { useField } from "./useField";

type Replaced = "name" | "value" | "defaultValue" | "onChange" | "onBlur" | "error" | "inputRef";

export type FormFieldProps<Values extends FieldValues, Name extends Path<Values>> = Omit<
  TextFieldProps,
  Replaced
> &
  FieldProps<Values, Name> & {
    /** What is demanded beside what the server does. */
    demand?: Check;
    /** What else can be wrong with a value, in a sentence that says what to do. */
    fault?: (value: string) => string | undefined;
    /** Further attributes of the input, such as `dir` or `spellCheck`. */
    input?: InputHTMLAttributes<HTMLInputElement>;
    /** Makes it a select: the values and their labels. */
    options?: readonly (readonly [value: string | number, label: ReactNode])[];
    /** What else happens when somebody changes the value. */
    onValue?: (value: string) => void;
  };

const attributesOf = ({ maxLength, minimum, maximum, isWhole }: Check) => ({
  maxLength,
  min: minimum,
  max: maximum,
  ...(isWhole && { inputMode: "numeric" as const }),
});

/** What the browser cannot read, such as half a number, it gives as nothing. */
function useUnread(type: TextFieldProps["type"]) {
  // A select has a control of its own in place of an input.
  const input = useRef<Partial<HTMLInputElement>>(null);
  return {
    keep: (element: HTMLInputElement | null) => {
      input.current = element;
    },
    fault: (value: unknown): string | undefined => {
      if (input.current?.validity?.badInput) return t`Enter a number.`;
      return type === "email" && !isEmpty(value) ? faultOfEmail(String(value)) : undefined;
    },
  };
}

const optionOf = ([value, label]: readonly [string | number, ReactNode]) => (
  <MenuItem key={value} value={value}>
    {label}
  </MenuItem>
);

/** A text field of a form, with the label of the field's name unless it has its own. What is wrong with it takes the place of the helper text. */
export function FormField<Values extends FieldValues, Name extends Path<Values>>(
  props: FormFieldProps<Values, Name>,
) {
  const { name, control, check, rule, demand, fault, input, options, onValue, ...shown } = props;
  const { helperText, slotProps, ...rest } = shown;
  const unread = useUnread(rest.type);
  const isRequired = rest.required ?? demand?.required ?? check?.required ?? false;
  const field = useField(
    { name, control, check, rule },
    {
      check: { ...demand, required: isRequired },
      fault: (value) => unread.fault(value) ?? fault?.(String(value)),
    },
  );
  return (
    <TextField
      fullWidth
      autoComplete="off"
      label={fieldLabel(name)}
      {...(options && { select: true, children: options.map(optionOf) })}
      {...rest}
      name={name}
      required={isRequired}
      value={field.value}
      inputRef={(element: HTMLInputElement | null) => {
        unread.keep(element);
        field.ref(element);
      }}
      error={field.message !== undefined}
      helperText={field.message ?? helperText}
      slotProps={{ ...slotProps, htmlInput: { ...attributesOf(field.check), ...input } }}
      onBlur={field.leave}
      onChange={(event) => {
        field.set(event.target.value);
        onValue?.(event.target.value);
      }}
    />
  );
}
