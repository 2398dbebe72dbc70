import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useNotify } from "ra-core";
import { useState } from "react";
import { api } from "../api/client";
import { asProblem } from "../api/problem";
import { useInstitution } from "./useInstitution";

/** Reminds whoever has not opened the link that verifies the address, and mails a new one. */
export function UnverifiedBanner() {
  const { profile } = useInstitution();
  if (!profile || profile.emailVerified) return null;
  return (
    <Alert
      severity="warning"
      role="region"
      aria-label="E-mail address"
      sx={{ mt: 2, "& .MuiAlert-message": { overflowWrap: "anywhere" } }}
    >
      Verify your e-mail address: open the link that was mailed to <strong>{profile.email}</strong>.
      Making products, inviting people and a second factor take a verified address. <ResendButton />
    </Alert>
  );
}

/** Mails a new link that verifies one's address. */
export function ResendButton() {
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      await api.POST("/api/auth/verify-email/resend");
      notify("A new letter is on its way.", { type: "info" });
    } catch (refusal) {
      notify(asProblem(refusal).message, { type: "error" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" loading={busy} onClick={() => void resend()}>
      Send it again
    </Button>
  );
}
