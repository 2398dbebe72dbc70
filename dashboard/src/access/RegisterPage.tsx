import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { RegisterRequest } from "../api/checks";
import { api } from "../api/client";
import type { Session } from "../api/session";
import { useApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import { ButtonLink } from "../ui/PageLink";
import { PasswordField } from "../ui/PasswordField";
import { useSetupStatus } from "../ui/useSetupStatus";
import { AuthLayout } from "./AuthLayout";
import { AuthForm, AuthLink, EmailField, InstitutionField, NameField } from "./AuthForm";
import { useStartSession } from "./useStartSession";

/** Creates an account with its own institution, if sign-up is open. */
export default function RegisterPage() {
  const { data: entrance, isPending } = useSetupStatus();
  const [session, setSession] = useState<Session>();
  if (isPending) return null;
  if (session) return <Registered session={session} />;
  return entrance?.signUp === "Closed" ? <Closed /> : <Register onSession={setSession} />;
}

const Closed = () => (
  <AuthLayout
    title={t`Sign-up is closed`}
    subtitle={t`Accounts are by invitation only. Ask an Owner or Admin of your institution, or the people who run this service, to invite you.`}
  >
    <Column gap="s">
      <ButtonLink to="/login" variant="contained" size="large">
        {t`Sign in`}
      </ButtonLink>
      <ButtonLink to="/portal" size="large">
        {t`View a license you bought`}
      </ButtonLink>
    </Column>
  </AuthLayout>
);

function Register({ onSession }: { onSession: (session: Session | undefined) => void }) {
  const form = useApiForm({
    values: { email: "", fullName: "", password: "", institutionName: "" },
    checks: RegisterRequest,
    send: async (body) => {
      onSession((await api.POST("/api/auth/register", { body })).data);
    },
  });
  return (
    <AuthLayout
      title={t`Create an account`}
      subtitle={t`You get an institution of your own and can invite others to it.`}
      footer={<AuthLink to="/login">{t`Already have an account? Sign in`}</AuthLink>}
    >
      <AuthForm form={form} action={t`Create account`}>
        <EmailField {...form.field("email")} />
        <NameField {...form.field("fullName")} />
        <PasswordField {...form.field("password")} label={t`Password`} chosen />
        <InstitutionField {...form.field("institutionName")} />
      </AuthForm>
    </AuthLayout>
  );
}

function Registered({ session }: { session: Session }) {
  const enter = useStartSession();
  const { email } = session.user;
  return (
    <AuthLayout
      title={t`Verify your email address`}
      subtitle={
        <>
          <Trans>
            We have sent an email to <strong>{email}</strong>. Open the link in it within seven
            days.
          </Trans>
        </>
      }
    >
      <Alert severity="info">
        {t`You can look around in the meantime. To create products and invite people, verify your email address first. No email? Check your spam folder.`}
      </Alert>
      <Button variant="contained" size="large" onClick={() => void enter(session, "/")}>
        {t`Go to the dashboard`}
      </Button>
    </AuthLayout>
  );
}
