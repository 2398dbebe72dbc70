import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { OtpRequest } from "../api/checks";
import { api } from "../api/client";
import type { Profile, Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { number } from "../ui/formats";
import { Column, Row } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { QrCode } from "../ui/QrCode";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { notify } from "../ui/toasts/toasts";
import { useSubmission } from "../ui/useSubmission";
import { PasskeysSection } from "./PasskeysSection";
import styles from "./profile.module.css";
import { OwnSignIn, useProfile } from "./useProfile";

const FEW_CODES = 3;

/** Turns the second factor on and off and manages the recovery codes. */
export function SecondFactorTab() {
  const [codes, setCodes] = useState<string[]>();
  const { hasChanged } = useProfile();
  const show = async (made: string[]) => {
    setCodes(made);
    await hasChanged();
  };
  return (
    <OwnSignIn>
      {(profile) => (
        <Column gap="l">
          <Section
            title={t`Authenticator app`}
            subtitle={t`Signing in also requires a code from an authenticator app, so a stolen password is not enough.`}
            help="sign-in-and-security"
          >
            {profile.totpEnabled ? (
              <SecondFactorOn profile={profile} onCodes={show} />
            ) : (
              <SecondFactorOff profile={profile} onCodes={show} />
            )}
          </Section>
          <PasskeysSection profile={profile} onCodes={show} />
          {codes && (
            <SecretDialog
              title={t`Save your recovery codes`}
              label={t`Recovery codes (each works once)`}
              secret={codes.join("\n")}
              fileName="licet-recovery-codes.txt"
              onClose={() => setCodes(undefined)}
            />
          )}
        </Column>
      )}
    </OwnSignIn>
  );
}

interface StateProps {
  profile: Profile;
  onCodes: (codes: string[]) => Promise<void>;
}

function SecondFactorOff({ profile, onCodes }: StateProps) {
  const [offered, setOffered] = useState<Schemas["OfferedFactor"]>();
  const { attempt, run } = useSubmission();
  const offer = async () => {
    setOffered((await api.POST("/api/auth/totp")).data);
  };
  if (!profile.emailVerified)
    return (
      <Alert severity="info">{t`Verify your email address before you turn on the second factor.`}</Alert>
    );
  return (
    <>
      <Column gap="l" align="start">
        <StatusChip status="Off" />
        {attempt.error !== null && <ProblemAlert error={attempt.error} />}
        <Button variant="contained" loading={attempt.busy} onClick={() => void run(offer)}>
          {t`Turn on`}
        </Button>
      </Column>
      {offered && (
        <EnrollDialog offered={offered} onClose={() => setOffered(undefined)} onCodes={onCodes} />
      )}
    </>
  );
}

function SecondFactorOn({ profile, onCodes }: StateProps) {
  const [asked, setAsked] = useState<"codes" | "off">();
  const { hasChanged } = useProfile();
  const left = profile.recoveryCodesLeft ?? 0;
  const close = () => setAsked(undefined);
  return (
    <Column gap="l">
      <DescriptionList
        facts={[
          [t`Status`, <StatusChip key="status" status="On" />],
          [t`Recovery codes left`, number(left)],
        ]}
      />
      {left <= FEW_CODES && (
        <Alert severity="warning">
          {t`You are running out of recovery codes. Generate new ones before you use the last: if you lose your phone without any left, only a system Admin can restore your access.`}
        </Alert>
      )}
      <Row gap="s" wraps>
        <Button variant="outlined" onClick={() => setAsked("codes")}>
          {t`Generate new recovery codes`}
        </Button>
        <Button color="error" onClick={() => setAsked("off")}>
          {t`Turn off`}
        </Button>
      </Row>
      {asked === "codes" && (
        <ConfirmDialog
          title={t`Generate new recovery codes?`}
          consequence={t`You get ten new codes. Your existing codes stop working immediately.`}
          action={t`Generate new codes`}
          onClose={close}
          onConfirm={async () => {
            const { data } = await api.POST("/api/auth/totp/recovery-codes", { body: {} });
            if (data) await onCodes(data.recoveryCodes);
          }}
        />
      )}
      {asked === "off" && (
        <ConfirmDialog
          title={t`Turn off second factor?`}
          consequence={t`After that, your password alone is enough to sign in. Your recovery codes stop working.`}
          action={t`Turn off`}
          danger
          onClose={close}
          onConfirm={async () => {
            await api.DELETE("/api/auth/totp", { body: {} });
            await hasChanged();
            notify(t`Second factor turned off.`, { type: "info" });
          }}
        />
      )}
    </Column>
  );
}

interface EnrollDialogProps {
  offered: Schemas["OfferedFactor"];
  onCodes: (codes: string[]) => Promise<void>;
  onClose: () => void;
}

/** Sets up an authenticator app and confirms it with a first code. */
function EnrollDialog({ offered, onCodes, onClose }: EnrollDialogProps) {
  const form = useApiForm({
    values: { otpCode: "" },
    checks: OtpRequest,
    send: async (body) => {
      const { data } = await api.POST("/api/auth/totp/confirm", { body });
      // The codes take its place.
      onClose();
      if (data) await onCodes(data.recoveryCodes);
    },
  });
  return (
    <FormDialog form={form} title={t`Turn on second factor`} action={t`Turn on`} onClose={onClose}>
      <ol className={styles.steps}>
        <li>
          <Column gap="m">
            {t`Scan this QR code with an authenticator app on your phone.`}
            <QrCode content={offered.otpauthUri} label={t`QR code with the secret`} size={184} />
            <CopyField label={t`Or enter this secret in the app`} value={grouped(offered.secret)} />
          </Column>
        </li>
        <li>
          <Column gap="m">
            {t`Enter the code shown in the app.`}
            <FormField
              {...form.field("otpCode")}
              label={t`Authentication code`}
              autoComplete="one-time-code"
              autoFocus
              input={{ inputMode: "numeric" }}
            />
          </Column>
        </li>
      </ol>
    </FormDialog>
  );
}

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");
