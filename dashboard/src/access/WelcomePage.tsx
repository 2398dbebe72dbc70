import { t } from "@lingui/core/macro";
import { api } from "../api/client";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { NameField } from "./AccountFields";
import { AuthLayout } from "./AuthLayout";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";
import { TokenField } from "./TokenField";
import { useStartSession } from "./useStartSession";
import { useUrlToken } from "./useUrlToken";

/** Creates an end user's account with the token from an emailed link. */
export default function WelcomePage() {
  const mailed = useUrlToken();
  const enter = useStartSession();
  const submit = useSubmit(async ({ token = mailed ?? "", fullName = "", password = "" }) => {
    const body = { token: token.trim(), fullName, password };
    const { data } = await api.POST("/api/portal/access/confirm", { body });
    await enter(data, "/portal");
  });
  return (
    <AuthLayout
      title={t`Welcome`}
      subtitle={t`Choose a password to see your licenses, devices and files.`}
      footer={<AuthLink to="/portal/access">{t`Request a new link`}</AuthLink>}
    >
      <AuthForm submit={submit} action={t`Show my licenses`}>
        {mailed === null && <TokenField name="token" />}
        <NameField submit={submit} />
        <PasswordField {...submit.field("password")} label={t`Password`} chosen />
      </AuthForm>
    </AuthLayout>
  );
}
