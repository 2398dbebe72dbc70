import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { LoginRequest } from "../api/checks";
import { api } from "../api/client";
import { answerPasskey, hasPasskeys } from "../api/passkeys";
import { Problem } from "../api/problem";
import type { Session } from "../api/session";
import type { Schemas } from "../api/types";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import { PasswordField } from "../ui/PasswordField";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSubmission } from "../ui/useSubmission";
import { AuthForm, AuthLink, EmailField } from "./AuthForm";
import { serviceUrl } from "../api/address";

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
  const back = () => setStep("password");
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
    <>
      <PasswordStep
        email={known.email}
        onEmail={(typed) => setKnown({ email: typed, password: "" })}
        onPassword={tryPassword}
      />
      <Divider>{t`or`}</Divider>
      <PasskeyButton onUse={usePasskeyAlone} />
      <Button variant="outlined" size="large" onClick={() => setStep("sso")}>
        {t`Sign in with single sign-on`}
      </Button>
    </>
  );
}

interface PasswordStepProps {
  email: string;
  onEmail: (email: string) => void;
  onPassword: (credentials: Credentials) => Promise<void>;
}

function PasswordStep({ email, onEmail, onPassword }: PasswordStepProps) {
  const [values] = useState({ email, password: "" });
  const isKnown = values.email !== "";
  const form = useApiForm({ values, checks: LoginRequest, send: onPassword });
  const { field } = form;
  return (
    <AuthForm form={form} action={t`Sign in`}>
      <EmailField {...field("email")} onValue={onEmail} autoFocus={!isKnown} />
      <PasswordField {...field("password")} label={t`Password`} autoFocus={isKnown} />
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

const NO_CODE = { otpCode: "" };

function CodeStep({ email, onCode, onPasskey, onBack }: CodeStepProps) {
  const [recovering, setRecovering] = useState(false);
  const form = useApiForm({
    values: NO_CODE,
    checks: LoginRequest,
    send: ({ otpCode }) => onCode(otpCode),
  });
  return (
    <AuthForm form={form} action={t`Sign in`}>
      <Typography>
        {recovering ? (
          t`Enter one of your recovery codes. Each code works once.`
        ) : (
          <Trans>
            Enter the code from your authenticator app for <strong>{email}</strong>
          </Trans>
        )}
      </Typography>
      <FormField
        key={String(recovering)}
        {...form.field("otpCode")}
        label={recovering ? t`Recovery code` : t`Authentication code`}
        autoComplete={recovering ? "off" : "one-time-code"}
        required
        autoFocus
        input={{ inputMode: recovering ? "text" : "numeric", spellCheck: false }}
      />
      {onPasskey && <PasskeyButton onUse={onPasskey} />}
      <div>
        <Button
          size="small"
          onClick={() => {
            setRecovering(!recovering);
            form.reset(NO_CODE);
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

/** Opens the page where an institution's identity provider signs its people in. */
const startSingleSignOn = (email: string) => {
  const query = new URLSearchParams({ email: email.trim() });
  location.assign(serviceUrl(`/api/auth/sso/start?${query.toString()}`));
};

interface SingleSignOnStepProps {
  email: string;
  /** The institution accepts no password. */
  isRequired: boolean;
  onBack: () => void;
}

/** Email address only: its domain tells which identity provider to go to. */
function SingleSignOnStep({ email, isRequired, onBack }: SingleSignOnStepProps) {
  const form = useApiForm({
    values: { email },
    send: ({ email: given }) => {
      startSingleSignOn(given);
      return Promise.resolve();
    },
  });
  return (
    <>
      <AuthForm form={form} action={t`Continue`}>
        {isRequired && (
          <Alert severity="info">
            {t`Your institution signs in through its own identity provider. Continue there.`}
          </Alert>
        )}
        <EmailField {...form.field("email")} autoFocus />
      </AuthForm>
      <div>
        <Button size="small" onClick={onBack}>
          {t`Use a password`}
        </Button>
      </div>
    </>
  );
}

interface PasskeyButtonProps {
  onUse: () => Promise<unknown>;
}

/** Uses a passkey; nothing where the browser has none. */
function PasskeyButton({ onUse }: PasskeyButtonProps) {
  const { attempt, run } = useSubmission();
  if (!hasPasskeys()) return null;
  return (
    <Column gap="s">
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
      <Button
        variant="outlined"
        size="large"
        loading={attempt.busy}
        onClick={() => void run(onUse)}
      >
        {t`Use a passkey`}
      </Button>
    </Column>
  );
}
