import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../api/client";
import { asProblem } from "../api/problem";
import styles from "./banner.module.css";
import { useInstitution } from "./useInstitution";
import { notify } from "./toasts/toasts";

/** Reminds users to verify their email address and lets them resend the email. */
export function UnverifiedBanner() {
  const { profile } = useInstitution();
  if (!profile || profile.emailVerified) return null;
  const { email } = profile;
  return (
    <Alert severity="warning" role="region" aria-label={t`Email address`} className={styles.banner}>
      <Trans>
        Verify your email address: open the link we sent to <strong>{email}</strong>. You need a
        verified address to create products, invite people and turn on a second factor.
      </Trans>{" "}
      <ResendButton />
    </Alert>
  );
}

/** Sends a new verification email. */
export function ResendButton() {
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      await api.POST("/api/auth/verify-email/resend");
      notify(t`Verification email sent.`, { type: "info" });
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" loading={busy} onClick={() => void resend()}>
      {t`Resend email`}
    </Button>
  );
}
