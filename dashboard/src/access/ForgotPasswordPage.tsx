import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useLocation } from "react-router";
import { api } from "../api/client";
import { useSubmit } from "../ui/useSubmit";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";

/** Requests a password reset link. The response does not reveal whether the account exists. */
export default function ForgotPasswordPage() {
  const { email: before = "" } = (useLocation().state ?? {}) as { email?: string };
  const [asked, setAsked] = useState<string>();
  const submit = useSubmit(async ({ email = "" }) => {
    await api.POST("/api/auth/password-reset", { body: { email }, parseAs: "text" });
    setAsked(email);
  });
  const back = <DoorLink to="/login">Back to sign in</DoorLink>;
  if (asked !== undefined)
    return (
      <Door
        title="Check your email"
        subtitle={
          <>
            If there is an account for <strong>{asked}</strong>, we have sent an email to it.
          </>
        }
        footer={back}
      >
        Use the link in it to set a new password. It works once and expires in an hour. No email?
        Check your spam folder, or contact the people who run this service.
      </Door>
    );
  return (
    <Door
      title="Forgot your password?"
      subtitle="Enter your email address and we will send you a link to set a new one."
      footer={back}
    >
      <DoorForm submit={submit} action="Send link">
        <TextField
          {...submit.field("email")}
          type="email"
          label="Email address"
          autoComplete="username"
          defaultValue={before}
          required
          autoFocus
          fullWidth
        />
      </DoorForm>
    </Door>
  );
}
