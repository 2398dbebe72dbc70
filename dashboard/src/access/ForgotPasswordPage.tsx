import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useLocation } from "react-router";
import { api } from "../api/client";
import { useSubmit } from "../ui/useSubmit";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";

/** Has a link mailed that sets a new password; whether the address has an account is not told. */
export default function ForgotPasswordPage() {
  const { email: before = "" } = (useLocation().state ?? {}) as { email?: string };
  const [asked, setAsked] = useState<string>();
  const submit = useSubmit(async ({ email = "" }) => {
    await api.POST("/api/auth/password-reset", { body: { email }, parseAs: "text" });
    setAsked(email);
  });
  const back = <DoorLink to="/login">Back to the sign-in</DoorLink>;
  if (asked !== undefined)
    return (
      <Door
        title="Look into your mailbox"
        subtitle={
          <>
            If <strong>{asked}</strong> has an account, a letter is on its way there.
          </>
        }
        footer={back}
      >
        Its link sets a new password, works once, and for an hour. Nothing came? Look among unwanted
        mail, or ask the people who run this service.
      </Door>
    );
  return (
    <Door
      title="Forgotten your password?"
      subtitle="Say for which address, and a link that sets a new one is mailed there."
      footer={back}
    >
      <DoorForm submit={submit} action="Mail the link">
        <TextField
          {...submit.field("email")}
          type="email"
          label="E-mail address"
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
