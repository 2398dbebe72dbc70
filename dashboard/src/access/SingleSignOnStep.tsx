import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useState } from "react";

/** Opens the page where an institution's identity provider signs its people in. */
export const startSingleSignOn = (email: string, again = false) => {
  const query = new URLSearchParams({ email: email.trim(), ...(again && { again: "true" }) });
  location.assign(`/api/auth/sso/start?${query.toString()}`);
};

interface SingleSignOnStepProps {
  email: string;
  /** The institution accepts no password. */
  isRequired: boolean;
  onBack: () => void;
}

/** Email address only: its domain tells which identity provider to go to. */
export function SingleSignOnStep({ email: before, isRequired, onBack }: SingleSignOnStepProps) {
  const [email, setEmail] = useState(before);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        startSingleSignOn(email);
      }}
    >
      <Stack sx={{ gap: 2 }}>
        {isRequired && (
          <Alert severity="info">
            {t`Your institution signs in through its own identity provider. Continue there.`}
          </Alert>
        )}
        <TextField
          type="email"
          name="email"
          label={t`Email address`}
          autoComplete="username"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
          }}
          required
          autoFocus
          fullWidth
        />
        <Button type="submit" variant="contained" size="large">
          {t`Continue`}
        </Button>
        <Button size="small" sx={{ alignSelf: "flex-start" }} onClick={onBack}>
          {t`Use a password`}
        </Button>
      </Stack>
    </form>
  );
}
