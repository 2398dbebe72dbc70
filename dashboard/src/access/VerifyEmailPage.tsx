import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { TokenRequest } from "../api/checks";
import { api } from "../api/client";
import { isSignedIn } from "../api/session";
import { useApiForm } from "../ui/form/useApiForm";
import { ButtonLink } from "../ui/PageLink";
import { AuthLayout } from "./AuthLayout";
import { AuthForm, AuthLink, TokenField } from "./AuthForm";
import { useUrlToken } from "./useUrlToken";

/** Verifies an email address. It takes a click because mail scanners open links. */
export default function VerifyEmailPage() {
  const mailed = useUrlToken();
  const queryClient = useQueryClient();
  const [isVerified, setIsVerified] = useState(false);
  const form = useApiForm({
    values: { token: mailed ?? "" },
    checks: TokenRequest,
    send: async ({ token }) => {
      await api.POST("/api/auth/verify-email", { body: { token: token.trim() } });
      await queryClient.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
      setIsVerified(true);
    },
  });
  if (isVerified)
    return (
      <AuthLayout
        title={t`Your email address is verified`}
        subtitle={t`You can now do everything your role allows.`}
      >
        <ButtonLink to="/" variant="contained" size="large" fullWidth>
          {isSignedIn() ? t`Go to the dashboard` : t`Sign in`}
        </ButtonLink>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t`Verify your email address`}
      subtitle={t`Only continue if you created this account yourself.`}
      footer={<AuthLink to="/profile">{t`Sign in and request a new email`}</AuthLink>}
    >
      <AuthForm form={form} action={t`Verify email address`}>
        {mailed === null && <TokenField {...form.field("token")} />}
      </AuthForm>
    </AuthLayout>
  );
}
