import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { useLocation } from "react-router";
import { PasswordResetRequest } from "../api/checks";
import { api } from "../api/client";
import { useApiForm } from "../ui/form/useApiForm";
import { AuthLayout } from "./AuthLayout";
import { AuthForm, AuthLink, EmailField } from "./AuthForm";

/** Requests a password reset link. The response does not reveal whether the account exists. */
export default function ForgotPasswordPage() {
  const { email: before = "" } = (useLocation().state ?? {}) as { email?: string };
  const [asked, setAsked] = useState<string>();
  const form = useApiForm({
    values: { email: before },
    checks: PasswordResetRequest,
    send: async (body) => {
      await api.POST("/api/auth/password-reset", { body, parseAs: "text" });
      setAsked(body.email);
    },
  });
  const back = <AuthLink to="/login">{t`Back to sign in`}</AuthLink>;
  if (asked !== undefined)
    return (
      <AuthLayout
        title={t`Check your email`}
        subtitle={
          <>
            <Trans>
              If there is an account for <strong>{asked}</strong>, we have sent an email to that
              address.
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
      <AuthForm form={form} action={t`Send link`}>
        <EmailField {...form.field("email")} autoFocus />
      </AuthForm>
    </AuthLayout>
  );
}
