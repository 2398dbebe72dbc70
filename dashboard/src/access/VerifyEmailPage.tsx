import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../api/client";
import { isSignedIn } from "../api/session";
import { useSubmit } from "../ui/useSubmit";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";
import { TokenField } from "./TokenField";
import { useMailedToken } from "./useMailedToken";

/** Verifies an email address. It takes a click because mail scanners open links. */
export default function VerifyEmailPage() {
  const mailed = useMailedToken();
  const queryClient = useQueryClient();
  const [isVerified, setIsVerified] = useState(false);
  const submit = useSubmit(async ({ token = mailed ?? "" }) => {
    await api.POST("/api/auth/verify-email", { body: { token: token.trim() } });
    await queryClient.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
    setIsVerified(true);
  });
  if (isVerified)
    return (
      <Door
        title="Your email address is verified"
        subtitle="You can now do everything your role allows."
      >
        <Button component={Link} to="/" variant="contained" size="large" fullWidth>
          {isSignedIn() ? "Go to the dashboard" : "Sign in"}
        </Button>
      </Door>
    );
  return (
    <Door
      title="Verify your email address"
      subtitle="Only continue if you created this account yourself."
      footer={<DoorLink to="/profile">Sign in and request a new email</DoorLink>}
    >
      <DoorForm submit={submit} action="Verify email address">
        {mailed === null && <TokenField name="token" />}
      </DoorForm>
    </Door>
  );
}
