import TextField from "@mui/material/TextField";
import { useState } from "react";
import { Navigate } from "react-router";
import { api } from "../api/client";
import { isSignedIn } from "../api/session";
import { useSubmit } from "../ui/useSubmit";
import { useEntrance } from "../ui/useEntrance";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";

/** Lets those in to whom a license is issued; whether there is one for an address is not told. */
export default function PortalAccessPage() {
  const [asked, setAsked] = useState<string>();
  const { isPending } = useEntrance();
  const submit = useSubmit(async ({ email = "" }) => {
    await api.POST("/api/portal/access", { body: { email }, parseAs: "text" });
    setAsked(email);
  });
  if (isPending) return null;
  if (isSignedIn()) return <Navigate to="/portal" replace />;
  const signIn = (
    <DoorLink to="/login" state={{ nextPathname: "/portal" }}>
      I have a password: sign in
    </DoorLink>
  );
  if (asked !== undefined)
    return (
      <Door
        title="Look into your mailbox"
        subtitle={
          <>
            If a license is issued to <strong>{asked}</strong>, a letter is on its way there.
          </>
        }
        footer={signIn}
      >
        Its link lets you choose a password, works once, and for a day. Nothing came? Look among
        unwanted mail, and think of another address that you may have bought with.
      </Door>
    );
  return (
    <Door
      title="Your licenses"
      subtitle="Say which address your license was issued to. A letter there lets you in."
      footer={signIn}
    >
      <DoorForm submit={submit} action="Mail the link">
        <TextField
          {...submit.field("email")}
          type="email"
          label="E-mail address"
          autoComplete="username"
          required
          autoFocus
          fullWidth
        />
      </DoorForm>
    </Door>
  );
}
