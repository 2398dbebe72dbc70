import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import LinearProgress from "@mui/material/LinearProgress";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useState } from "react";
import { HideIcon, ShowIcon } from "./icons";

const SHORTEST = 10;

type PasswordFieldProps = Omit<TextFieldProps, "type"> & {
  /** The user chooses a new password: show its strength. */
  chosen?: boolean;
};

/** A password field with a button to show the password. */
export function PasswordField({ chosen = false, helperText, ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const [length, setLength] = useState(0);
  return (
    <TextField
      fullWidth
      required
      autoComplete={chosen ? "new-password" : "current-password"}
      {...props}
      type={shown ? "text" : "password"}
      helperText={helperText ?? (chosen && <Strength length={length} />)}
      onChange={(event) => {
        setLength(event.target.value.length);
        props.onChange?.(event);
      }}
      slotProps={{
        htmlInput: { ...(chosen && { minLength: SHORTEST, maxLength: 1000 }), spellCheck: false },
        formHelperText: { component: "div" },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                size="small"
                aria-label={shown ? t`Hide password` : t`Show password`}
                onClick={() => {
                  setShown(!shown);
                }}
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
  [SHORTEST, t`Fair. Longer is better.`, "warning"],
  [12, t`Good.`, "success"],
  [16, t`Strong.`, "success"],
] as const;

/** Rates a password by its length, which matters far more than its characters. */
function Strength({ length }: { length: number }) {
  const [, words, color] = STEPS.findLast(([least]) => length >= least) ?? STEPS[0];
  return (
    <Box sx={{ minHeight: 28 }}>
      <LinearProgress
        variant="determinate"
        value={Math.min(100, (length / 16) * 100)}
        color={color}
        aria-hidden
        sx={{ my: 0.5, height: 3, borderRadius: 2 }}
      />
      {words}
    </Box>
  );
}
