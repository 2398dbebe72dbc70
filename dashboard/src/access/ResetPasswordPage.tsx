import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../api/client";
import { forget } from "../api/session";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { AuthLayout } from "./AuthLayout";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";
import { TokenField } from "./TokenField";
import { useUrlToken } from "./useUrlToken";

/** Sets a new password with the token from an emailed link. */
export default function ResetPasswordPage() {
  const mailed = useUrlToken();
  const [isSet, setIsSet] = useState(false);
  const submit = useSubmit(async ({ token = mailed ?? "", password = "" }) => {
    const body = { token: token.trim(), password };
    await api.POST("/api/auth/password-reset/confirm", { body });
    forget();
    setIsSet(true);
  });
  if (isSet)
    return (
      <AuthLayout
        title="Password changed"
        subtitle="All sessions of your account have been signed out. Your second factor, if any, is still on."
      >
        <Button component={Link} to="/login" variant="contained" size="large" fullWidth>
          Sign in
        </Button>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title="Set a new password"
      subtitle="This signs you out on every device."
      footer={<AuthLink to="/forgot-password">Request a new link</AuthLink>}
    >
      <AuthForm submit={submit} action="Set password">
        {mailed === null && <TokenField name="token" />}
        <PasswordField
          {...submit.field("password")}
          label="New password"
          chosen
          autoFocus={mailed !== null}
        />
      </AuthForm>
    </AuthLayout>
  );
}
