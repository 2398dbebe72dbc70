import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import type { Session } from "../api/session";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";

interface Credentials {
  email: string;
  password: string;
}

interface SignInFormProps {
  /** Whom the page expects. */
  email?: string;
  onSession: (session: Session | undefined) => Promise<void>;
}

/** E-mail address and password, then the code of the second factor where there is one. */
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
        } catch (refusal) {
          if (!(refusal instanceof Problem && refusal.code === "OtpRequired")) throw refusal;
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
    <DoorForm submit={submit} action="Sign in">
      <TextField
        {...submit.field("email")}
        type="email"
        label="E-mail address"
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
      <DoorLink to="/forgot-password" state={{ email }}>
        Forgotten your password?
      </DoorLink>
    </DoorForm>
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
    <DoorForm submit={submit} action="Sign in">
      <Typography sx={{ overflowWrap: "anywhere" }}>
        {recovering
          ? "Enter one of the recovery codes that you kept. It works once."
          : "Enter the code that your authenticator app shows for "}
        {!recovering && <strong>{email}</strong>}
      </Typography>
      <TextField
        key={String(recovering)}
        {...submit.field("otpCode")}
        label={recovering ? "Recovery code" : "Code from the app"}
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
          {recovering ? "Use the app" : "Use a recovery code"}
        </Button>
        <Button size="small" onClick={onBack}>
          Sign in as somebody else
        </Button>
      </div>
    </DoorForm>
  );
}
