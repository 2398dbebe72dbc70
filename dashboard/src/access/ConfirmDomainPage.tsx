import { t } from "@lingui/core/macro";
import { useState } from "react";
import { DomainTokenRequest } from "../api/checks";
import { api } from "../api/client";
import { useApiForm } from "../ui/form/useApiForm";
import { ButtonLink } from "../ui/PageLink";
import { AuthForm, TokenField } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { useUrlToken } from "./useUrlToken";

/** Confirms a domain for single sign-on. It takes a click because mail scanners open links. */
export default function ConfirmDomainPage() {
  const mailed = useUrlToken();
  const [domain, setDomain] = useState<string>();
  const form = useApiForm({
    values: { token: mailed ?? "" },
    checks: DomainTokenRequest,
    send: async ({ token }) => {
      const body = { token: token.trim() };
      const { data } = await api.POST("/api/auth/sso/confirm-domain", { body });
      setDomain(data?.domain);
    },
  });
  if (domain)
    return (
      <AuthLayout
        title={t`The domain is confirmed`}
        subtitle={t`People with email addresses in ${domain} can now use single sign-on.`}
      >
        <ButtonLink to="/login" variant="contained" size="large" fullWidth>
          {t`Go to sign-in`}
        </ButtonLink>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t`Confirm a domain for single sign-on`}
      subtitle={t`Only continue if you run this domain and trust the institution named in the email: it can then sign in as anyone with an address in the domain.`}
    >
      <AuthForm form={form} action={t`Confirm domain`}>
        {mailed === null && <TokenField {...form.field("token")} />}
      </AuthForm>
    </AuthLayout>
  );
}
