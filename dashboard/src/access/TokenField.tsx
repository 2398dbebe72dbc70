import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";

/** Lets the user enter the code from an email by hand if they did not open its link. */
export const TokenField = ({ name }: { name: string }) => (
  <TextField
    name={name}
    label={t`Code from the email`}
    helperText={t`You find it below the link in the email. Opening the link fills it in.`}
    autoComplete="off"
    required
    autoFocus
    fullWidth
    slotProps={{ htmlInput: { spellCheck: false } }}
  />
);
