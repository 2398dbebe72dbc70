import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useLogin } from "ra-core";
import { useState, type FormEvent } from "react";
import { Link as RouterLink } from "react-router";
import { Problem } from "../api/problem";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Door } from "./Door";

/** E-mail address and password, then the code of the second factor where there is one. */
export function SignInPage() {
  const login = useLogin();
  const [asksCode, setAsksCode] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.currentTarget));
    setBusy(true);
    setError(null);
    try {
      await login(given);
    } catch (refusal) {
      const wantsCode = refusal instanceof Problem && refusal.code === "OtpRequired";
      if (wantsCode) setAsksCode(true);
      else setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Door title="Sign in">
      <form onSubmit={(event) => void signIn(event)}>
        <Stack sx={{ gap: 2 }}>
          <TextField
            name="email"
            type="email"
            label="E-mail address"
            autoComplete="username"
            required
            autoFocus
            fullWidth
          />
          <TextField
            name="password"
            type="password"
            label="Password"
            autoComplete="current-password"
            required
            fullWidth
          />
          {asksCode && (
            <>
              <Alert severity="info">
                Enter the code that your authenticator app shows, or a recovery code.
              </Alert>
              <TextField
                name="otpCode"
                label="Code"
                autoComplete="one-time-code"
                required
                autoFocus
                fullWidth
              />
            </>
          )}
          {error !== null && <ProblemAlert error={error} />}
          <Button type="submit" variant="contained" size="large" loading={busy}>
            Sign in
          </Button>
          <Link component={RouterLink} to="/forgot-password" variant="body2">
            Forgotten your password?
          </Link>
        </Stack>
      </form>
    </Door>
  );
}
