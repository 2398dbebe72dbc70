import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../api/client";
import { answerPasskey } from "../api/passkeys";
import { Problem } from "../api/problem";
import type { Session } from "../api/session";
import type { Schemas } from "../api/types";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";
import { PasskeyButton } from "./PasskeyButton";
import { SingleSignOnStep } from "./SingleSignOnStep";

interface Credentials {
  email: string;
  password: string;
}

interface SignInFormProps {
  /** Initial value of the email field. */
  email?: string;
  onSession: (session: Session | undefined) => Promise<void>;
}

type PasskeyOptions = Schemas["PasskeyRequestOptions"] | null;
type Step = "password" | "factor" | "sso" | "sso-required";

/** Email address and password, then a second factor if the account has one; or another way in. */
export function SignInForm({ email = "", onSession }: SignInFormProps) {
  const [known, setKnown] = useState<Credentials>({ email, password: "" });
  const [step, setStep] = useState<Step>("password");
  const [passkey, setPasskey] = useState<PasskeyOptions>(null);
  const signIn = async (body: Schemas["LoginRequest"]) => {
    const { data } = await api.POST("/api/auth/login", { body });
    await onSession(data);
  };
  const tryPassword = async (credentials: Credentials) => {
    setKnown(credentials);
    try {
      await signIn(credentials);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === "SsoRequired") setStep("sso-required");
      else if (error.code === "OtpRequired") {
        setPasskey(error.passkey);
        setStep("factor");
      } else throw error;
    }
  };
  const usePasskeyAlone = async () => {
    const { data: options } = await api.POST("/api/auth/passkeys/sign-in/options");
    if (!options) return;
    const credential = await answerPasskey(options);
    const { data } = await api.POST("/api/auth/passkeys/sign-in/verify", { body: { credential } });
    await onSession(data);
  };
  const back = () => {
    setStep("password");
  };
  if (step === "factor")
    return (
      <CodeStep
        email={known.email}
        onCode={(otpCode) => signIn({ ...known, otpCode })}
        onPasskey={
          passkey &&
          (async () => {
            await signIn({ ...known, passkey: await answerPasskey(passkey) });
          })
        }
        onBack={back}
      />
    );
  if (step !== "password")
    return (
      <SingleSignOnStep email={known.email} isRequired={step === "sso-required"} onBack={back} />
    );
  return (
    <Stack sx={{ gap: 2 }}>
      <PasswordStep
        email={known.email}
        onEmail={(typed) => {
          setKnown({ email: typed, password: "" });
        }}
        onPassword={tryPassword}
      />
      <Divider>{t`or`}</Divider>
      <PasskeyButton onUse={usePasskeyAlone} />
      <Button
        variant="outlined"
        size="large"
        onClick={() => {
          setStep("sso");
        }}
      >
        {t`Sign in with single sign-on`}
      </Button>
    </Stack>
  );
}

interface PasswordStepProps {
  email: string;
  onEmail: (email: string) => void;
  onPassword: (credentials: Credentials) => Promise<void>;
}

function PasswordStep({ email, onEmail, onPassword }: PasswordStepProps) {
  const [isKnown] = useState(Boolean(email));
  const submit = useSubmit(({ password = "" }) => onPassword({ email, password }));
  return (
    <AuthForm submit={submit} action={t`Sign in`}>
      <TextField
        {...submit.field("email")}
        type="email"
        label={t`Email address`}
        autoComplete="username"
        value={email}
        onChange={(event) => {
          onEmail(event.target.value);
        }}
        required
        autoFocus={!isKnown}
        fullWidth
      />
      <PasswordField {...submit.field("password")} label={t`Password`} autoFocus={isKnown} />
      <AuthLink to="/forgot-password" state={{ email }}>
        {t`Forgot your password?`}
      </AuthLink>
    </AuthForm>
  );
}

interface CodeStepProps {
  email: string;
  onCode: (code: string) => Promise<void>;
  onPasskey: (() => Promise<void>) | null;
  onBack: () => void;
}

function CodeStep({ email, onCode, onPasskey, onBack }: CodeStepProps) {
  const [recovering, setRecovering] = useState(false);
  const submit = useSubmit(({ otpCode = "" }) => onCode(otpCode));
  return (
    <AuthForm submit={submit} action={t`Sign in`}>
      <Typography sx={{ overflowWrap: "anywhere" }}>
        {recovering ? (
          t`Enter one of your recovery codes. Each code works once.`
        ) : (
          <Trans>
            Enter the code from your authenticator app for <strong>{email}</strong>
          </Trans>
        )}
      </Typography>
      <TextField
        key={String(recovering)}
        {...submit.field("otpCode")}
        label={recovering ? t`Recovery code` : t`Authentication code`}
        autoComplete={recovering ? "off" : "one-time-code"}
        required
        autoFocus
        fullWidth
        slotProps={{
          htmlInput: { inputMode: recovering ? "text" : "numeric", spellCheck: false },
        }}
      />
      {onPasskey && <PasskeyButton onUse={onPasskey} />}
      <div>
        <Button
          size="small"
          onClick={() => {
            setRecovering(!recovering);
          }}
        >
          {recovering ? t`Use the authenticator app` : t`Use a recovery code`}
        </Button>
        <Button size="small" onClick={onBack}>
          {t`Use another account`}
        </Button>
      </div>
    </AuthForm>
  );
}
