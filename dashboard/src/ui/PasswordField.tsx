import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import LinearProgress from "@mui/material/LinearProgress";
import { useState } from "react";
import { useWatch, type FieldValues, type Path } from "react-hook-form";
import { FormField, type FormFieldProps } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";
import { HideIcon, ShowIcon } from "./icons";
import styles from "./passwordField.module.css";

type PasswordFieldProps<Values extends FieldValues, Name extends Path<Values>> = Omit<
  FormFieldProps<Values, Name>,
  "type" | "input" | "slotProps"
> & {
  /** The user chooses a new password: show its strength. */
  chosen?: boolean;
};

/** A password field of a form, with a button to show the password. */
export function PasswordField<Values extends FieldValues, Name extends Path<Values>>(
  props: PasswordFieldProps<Values, Name>,
) {
  const { chosen = false, ...rest } = props;
  const { name, control, check } = rest;
  const [shown, setShown] = useState(false);
  return (
    <FormField
      required
      autoComplete={chosen ? "new-password" : "current-password"}
      helperText={chosen && <Strength name={name} control={control} check={check} />}
      {...rest}
      type={shown ? "text" : "password"}
      input={{ spellCheck: false }}
      slotProps={{
        formHelperText: { component: "div" },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                size="small"
                aria-label={shown ? t`Hide password` : t`Show password`}
                onClick={() => setShown(!shown)}
              >
                {shown ? <HideIcon /> : <ShowIcon />}
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}

const STEPS = [
  [0, t`At least 10 characters. Longer is better: try a few words in a row.`, "inherit"],
  [10, t`Fair. Longer is better.`, "warning"],
  [12, t`Good.`, "success"],
  [16, t`Strong.`, "success"],
] as const;

/** Rates a password by its length, which matters far more than its characters. */
function Strength<Values extends FieldValues, Name extends Path<Values>>(
  field: FieldProps<Values, Name>,
) {
  const { length } = String(useWatch(field));
  const [, words, color] = STEPS.findLast(([least]) => length >= least) ?? STEPS[0];
  return (
    <div className={styles.strength}>
      <LinearProgress
        className={styles.bar}
        variant="determinate"
        value={Math.min(100, (length / 16) * 100)}
        color={color}
        aria-hidden
      />
      {words}
    </div>
  );
}
