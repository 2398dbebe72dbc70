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

/** Verifies an address by a press of a button, which programs that look through mail do not do. */
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
      <Door title="Your address is verified" subtitle="Everything that your role allows is open.">
        <Button component={Link} to="/" variant="contained" size="large" fullWidth>
          {isSignedIn() ? "Go to the dashboard" : "Sign in"}
        </Button>
      </Door>
    );
  return (
    <Door
      title="Verify your address"
      subtitle="Do it only if you made the account yourself: otherwise somebody else would be taken for you."
      footer={<DoorLink to="/profile">Sign in and ask for a new letter</DoorLink>}
    >
      <DoorForm submit={submit} action="Verify address">
        {mailed === null && <TokenField name="token" />}
      </DoorForm>
    </Door>
  );
}
