import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useWatch } from "react-hook-form";
import { ResetPasswordRequest } from "../api/checks";
import { api } from "../api/client";
import { forget } from "../api/session";
import type { Schemas } from "../api/types";
import { FormCheckbox } from "../ui/form/FormCheckbox";
import { useApiForm } from "../ui/form/useApiForm";
import { relative } from "../ui/formats";
import { ButtonLink } from "../ui/PageLink";
import { PasswordField } from "../ui/PasswordField";
import { AuthForm, AuthLink, TokenField } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { useUrlToken } from "./useUrlToken";

/** Sets a new password with the token from an emailed link. */
export default function ResetPasswordPage() {
  const mailed = useUrlToken();
  const [isSet, setIsSet] = useState(false);
  const [found, setFound] = useState<Schemas["AccountApiKey"][]>();
  // An invalid link is reported when the form is sent.
  const { data: linked } = useQuery({
    queryKey: ["password-reset", mailed],
    queryFn: () => keysOf(mailed ?? ""),
    enabled: mailed !== null,
    retry: false,
  });
  const keys = linked ?? found;
  const form = useApiForm({
    values: { token: mailed ?? "", password: "", revokeApiKeys: false },
    checks: ResetPasswordRequest,
    send: async (draft) => {
      const body = { ...draft, token: draft.token.trim() };
      // Whoever typed the code sees the API keys only now, and sends the form again.
      if (!keys) {
        const typed = await keysOf(body.token);
        setFound(typed);
        if (typed.length > 0) return;
      }
      await api.POST("/api/auth/password-reset/confirm", { body });
      forget();
      setIsSet(true);
    },
  });
  const { control, field } = form;
  const isRevoking = useWatch({ control, name: "revokeApiKeys" });
  if (isSet)
    return (
      <AuthLayout
        title={t`Password changed`}
        subtitle={
          keys?.length && !isRevoking
            ? t`All sessions of your account have been signed out. Your second factor, if any, is still on. Your API keys still work. Manage them in Settings.`
            : t`All sessions of your account have been signed out. Your second factor, if any, is still on.`
        }
      >
        <ButtonLink to="/login" variant="contained" size="large" fullWidth>
          {t`Sign in`}
        </ButtonLink>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t`Set a new password`}
      subtitle={t`This signs you out on every device.`}
      footer={<AuthLink to="/forgot-password">{t`Request a new link`}</AuthLink>}
    >
      <AuthForm form={form} action={t`Set password`}>
        {mailed === null && <TokenField {...field("token")} />}
        <PasswordField
          {...field("password")}
          label={t`New password`}
          chosen
          autoFocus={mailed !== null}
        />
        {keys && keys.length > 0 && (
          <AccountApiKeys keys={keys}>
            <FormCheckbox
              {...field("revokeApiKeys")}
              label={t`Revoke them as well, because someone else may have them`}
            />
          </AccountApiKeys>
        )}
      </AuthForm>
    </AuthLayout>
  );
}

/** The API keys of the account that the token is for; the token stays valid. */
async function keysOf(token: string) {
  const { data } = await api.POST("/api/auth/password-reset/preview", { body: { token } });
  return data?.apiKeys ?? [];
}

interface AccountApiKeysProps {
  keys: Schemas["AccountApiKey"][];
  /** The offer to revoke them. */
  children: ReactNode;
}

/** The API keys that a new password does not end. */
const AccountApiKeys = ({ keys, children }: AccountApiKeysProps) => (
  <Alert severity="warning">
    {t`A new password does not end the API keys that you created:`}
    <ul>
      {keys.map((key) => (
        <li key={key.id}>
          <bdi>{key.name}</bdi> (<bdi>{key.institutionName}</bdi>),{" "}
          {key.lastUsedAt ? t`last used ${{ time: relative(key.lastUsedAt) }}` : t`never used`}
        </li>
      ))}
    </ul>
    {children}
  </Alert>
);
