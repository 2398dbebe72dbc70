import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import Switch from "@mui/material/Switch";
import { useId, type ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "./useApiForm";
import { useField } from "./useField";

type FormCheckboxProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & {
  label: ReactNode;
  helperText?: ReactNode;
  disabled?: boolean;
  /** What it looks like: a switch is for what is on or off, a checkbox for what is chosen. */
  look?: "checkbox" | "switch";
  /** What else happens when somebody changes it. */
  onValue?: (isChosen: boolean) => void;
};

/** A checkbox or switch of a form. */
export function FormCheckbox<Values extends FieldValues, Name extends Path<Values>>(
  props: FormCheckboxProps<Values, Name>,
) {
  const { label, helperText, disabled = false, look = "checkbox", onValue, ...rest } = props;
  const field = useField(rest);
  const hint = useId();
  const Control = look === "switch" ? Switch : Checkbox;
  const told = field.message ?? helperText;
  return (
    <FormControl error={field.message !== undefined} disabled={disabled}>
      <FormControlLabel
        label={label}
        control={
          <Control
            name={rest.name}
            checked={Boolean(field.value)}
            slotProps={{
              input: {
                ref: field.ref,
                ...(told && { "aria-describedby": hint }),
                ...(field.message !== undefined && { "aria-invalid": true }),
              },
            }}
            onChange={(_, isChosen) => {
              field.set(isChosen);
              onValue?.(isChosen);
            }}
          />
        }
      />
      {told && <FormHelperText id={hint}>{told}</FormHelperText>}
    </FormControl>
  );
}
