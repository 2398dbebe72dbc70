import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useLocation } from "react-router";
import { api } from "../api/client";
import { useSubmit } from "../ui/useSubmit";
import { AuthLayout } from "./AuthLayout";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";

/** Requests a password reset link. The response does not reveal whether the account exists. */
export default function ForgotPasswordPage() {
  const { email: before = "" } = (useLocation().state ?? {}) as { email?: string };
  const [asked, setAsked] = useState<string>();
  const submit = useSubmit(async ({ email = "" }) => {
    await api.POST("/api/auth/password-reset", { body: { email }, parseAs: "text" });
    setAsked(email);
  });
  const back = <AuthLink to="/login">{t`Back to sign in`}</AuthLink>;
  if (asked !== undefined)
    return (
      <AuthLayout
        title={t`Check your email`}
        subtitle={
          <>
            <Trans>
              If there is an account for <strong>{asked}</strong>, we have sent an email to it.
            </Trans>
          </>
        }
        footer={back}
      >
        {t`Use the link in it to set a new password. It works once and expires in an hour. No email? Check your spam folder, or contact the people who run this service.`}
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t`Forgot your password?`}
      subtitle={t`Enter your email address and we will send you a link to set a new one.`}
      footer={back}
    >
      <AuthForm submit={submit} action={t`Send link`}>
        <TextField
          {...submit.field("email")}
          type="email"
          label={t`Email address`}
          autoComplete="username"
          defaultValue={before}
          required
          autoFocus
          fullWidth
        />
      </AuthForm>
    </AuthLayout>
  );
}
