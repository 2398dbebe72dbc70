import { t } from "@lingui/core/macro";
import { ConfirmAccessRequest } from "../api/checks";
import { api } from "../api/client";
import { useApiForm } from "../ui/form/useApiForm";
import { PasswordField } from "../ui/PasswordField";
import { usePublicVendor, Welcome } from "../ui/vendor/vendor";
import { AuthLayout } from "./AuthLayout";
import { AuthForm, AuthLink, NameField, TokenField } from "./AuthForm";
import { useStartSession } from "./useStartSession";
import { useUrlToken } from "./useUrlToken";

/**
 * Creates an end user's account with the token from an emailed link. The token ends with the id of
 * a vendor that shows itself to everybody; then the page looks like that vendor's.
 */
export default function WelcomePage() {
  const mailed = useUrlToken();
  const vendor = usePublicVendor(mailed?.split(".")[1] ?? null);
  const enter = useStartSession();
  const form = useApiForm({
    values: { token: mailed ?? "", fullName: "", password: "" },
    checks: ConfirmAccessRequest,
    send: async (draft) => {
      const body = { ...draft, token: draft.token.trim() };
      const { data } = await api.POST("/api/portal/access/confirm", { body });
      await enter(data, "/portal");
    },
  });
  if (vendor === null) return null;
  return (
    <AuthLayout
      title={t`Welcome`}
      vendor={vendor}
      isPortal
      subtitle={
        <>
          {vendor && <Welcome vendor={vendor} />}
          {t`Choose a password to see your licenses, devices and files.`}
        </>
      }
      footer={<AuthLink to="/portal/access">{t`Request a new link`}</AuthLink>}
    >
      <AuthForm form={form} action={t`Show my licenses`}>
        {mailed === null && <TokenField {...form.field("token")} />}
        <NameField {...form.field("fullName")} autoFocus />
        <PasswordField {...form.field("password")} label={t`Password`} chosen />
      </AuthForm>
    </AuthLayout>
  );
}
