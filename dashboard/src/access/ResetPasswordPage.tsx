import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../api/client";
import { forget } from "../api/session";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";
import { TokenField } from "./TokenField";
import { useMailedToken } from "./useMailedToken";

/** Sets a new password with the token from an emailed link. */
export default function ResetPasswordPage() {
  const mailed = useMailedToken();
  const [isSet, setIsSet] = useState(false);
  const submit = useSubmit(async ({ token = mailed ?? "", password = "" }) => {
    const body = { token: token.trim(), password };
    await api.POST("/api/auth/password-reset/confirm", { body });
    forget();
    setIsSet(true);
  });
  if (isSet)
    return (
      <Door
        title="Password changed"
        subtitle="All sessions of your account have been signed out. Your second factor, if any, is still on."
      >
        <Button component={Link} to="/login" variant="contained" size="large" fullWidth>
          Sign in
        </Button>
      </Door>
    );
  return (
    <Door
      title="Set a new password"
      subtitle="This signs you out on every device."
      footer={<DoorLink to="/forgot-password">Request a new link</DoorLink>}
    >
      <DoorForm submit={submit} action="Set password">
        {mailed === null && <TokenField name="token" />}
        <PasswordField
          {...submit.field("password")}
          label="New password"
          chosen
          autoFocus={mailed !== null}
        />
      </DoorForm>
    </Door>
  );
}
