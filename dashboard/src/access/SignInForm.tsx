import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import type { Session } from "../api/session";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";

interface Credentials {
  email: string;
  password: string;
}

interface SignInFormProps {
  /** Initial value of the email field. */
  email?: string;
  onSession: (session: Session | undefined) => Promise<void>;
}

/** Email address and password, then the second-factor code if the account has one. */
export function SignInForm({ email = "", onSession }: SignInFormProps) {
  const [known, setKnown] = useState<Credentials>({ email, password: "" });
  const [asksCode, setAsksCode] = useState(false);
  const signIn = async (credentials: Credentials & { otpCode?: string }) => {
    const { data } = await api.POST("/api/auth/login", { body: credentials });
    await onSession(data);
  };
  return asksCode ? (
    <CodeStep
      email={known.email}
      onCode={(otpCode) => signIn({ ...known, otpCode })}
      onBack={() => {
        setAsksCode(false);
      }}
    />
  ) : (
    <PasswordStep
      email={known.email}
      onPassword={async (credentials) => {
        try {
          await signIn(credentials);
        } catch (error) {
          if (!(error instanceof Problem && error.code === "OtpRequired")) throw error;
          setKnown(credentials);
          setAsksCode(true);
        }
      }}
    />
  );
}

interface PasswordStepProps {
  email: string;
  onPassword: (credentials: Credentials) => Promise<void>;
}

function PasswordStep({ email: before, onPassword }: PasswordStepProps) {
  const [email, setEmail] = useState(before);
  const submit = useSubmit(({ password = "" }) => onPassword({ email, password }));
  return (
    <AuthForm submit={submit} action="Sign in">
      <TextField
        {...submit.field("email")}
        type="email"
        label="Email address"
        autoComplete="username"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
        }}
        required
        autoFocus={!before}
        fullWidth
      />
      <PasswordField {...submit.field("password")} label="Password" autoFocus={Boolean(before)} />
      <AuthLink to="/forgot-password" state={{ email }}>
        Forgot your password?
      </AuthLink>
    </AuthForm>
  );
}

interface CodeStepProps {
  email: string;
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
}

function CodeStep({ email, onCode, onBack }: CodeStepProps) {
  const [recovering, setRecovering] = useState(false);
  const submit = useSubmit(({ otpCode = "" }) => onCode(otpCode));
  return (
    <AuthForm submit={submit} action="Sign in">
      <Typography sx={{ overflowWrap: "anywhere" }}>
        {recovering
          ? "Enter one of your recovery codes. Each code works once."
          : "Enter the code from your authenticator app for "}
        {!recovering && <strong>{email}</strong>}
      </Typography>
      <TextField
        key={String(recovering)}
        {...submit.field("otpCode")}
        label={recovering ? "Recovery code" : "Authentication code"}
        autoComplete={recovering ? "off" : "one-time-code"}
        required
        autoFocus
        fullWidth
        slotProps={{
          htmlInput: { inputMode: recovering ? "text" : "numeric", spellCheck: false },
        }}
      />
      <div>
        <Button
          size="small"
          onClick={() => {
            setRecovering(!recovering);
          }}
        >
          {recovering ? "Use the authenticator app" : "Use a recovery code"}
        </Button>
        <Button size="small" onClick={onBack}>
          Use another account
        </Button>
      </div>
    </AuthForm>
  );
}
