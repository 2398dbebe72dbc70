import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import { useState } from "react";
import { OtpRequest, RegisterPasskeyRequest } from "../api/checks";
import { api, $api } from "../api/client";
import { createPasskey, hasPasskeys } from "../api/passkeys";
import type { Profile, Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { number, relative } from "../ui/formats";
import { Column, Row } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { QrCode } from "../ui/QrCode";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { RowMenu } from "../ui/table/RowMenu";
import { notify } from "../ui/toasts/toasts";
import { useSubmission } from "../ui/useSubmission";
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

type Passkey = Schemas["Passkey"];

interface PasskeysSectionProps {
  profile: Profile;
  onCodes: (codes: string[]) => Promise<void>;
}

/** The user's passkeys: added, listed and removed. */
function PasskeysSection({ profile, onCodes }: PasskeysSectionProps) {
  const [adds, setAdds] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const { hasChanged } = useProfile();
  const listed = $api.useQuery("get", "/api/auth/passkeys", {
    params: { query: { pageSize: 100 } },
  });
  const passkeys = listed.data?.items ?? [];
  const refetch = async () => {
    await Promise.all([listed.refetch(), hasChanged()]);
  };
  const canAdd = profile.emailVerified && hasPasskeys();
  return (
    <Section
      title={t`Passkeys`}
      subtitle={t`Sign in with the fingerprint, face or PIN of your device, or with a security key. A passkey is your second factor, and can replace the password.`}
      help="sign-in-and-security"
      actions={
        canAdd && (
          <Button variant="outlined" onClick={() => setAdds(true)}>
            {t`Add passkey`}
          </Button>
        )
      }
    >
      {!profile.emailVerified && (
        <Alert severity="info">{t`Verify your email address before you add a passkey.`}</Alert>
      )}
      {!hasPasskeys() && (
        <Alert severity="info">{t`This browser does not support passkeys.`}</Alert>
      )}
      {listed.error && <ProblemAlert error={listed.error} retry={() => void listed.refetch()} />}
      {passkeys.length > 0 && (
        <List disablePadding aria-label={t`Passkeys`}>
          {passkeys.map((passkey) => (
            <ListItem
              key={passkey.id}
              disableGutters
              divider
              secondaryAction={
                <RowMenu
                  name={passkey.name}
                  acts={[{ label: t`Remove`, isGrave: true, act: () => setRemoved(passkey) }]}
                />
              }
            >
              <ListItemText primary={<bdi>{passkey.name}</bdi>} secondary={factsOf(passkey)} />
            </ListItem>
          ))}
        </List>
      )}
      {adds && (
        <AddPasskeyDialog
          onClose={() => setAdds(false)}
          onAdded={async (codes) => {
            await refetch();
            notify(t`Passkey added.`, { type: "success" });
            if (codes) await onCodes(codes);
          }}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={t`Remove the passkey “${{ name: removed.name }}”?`}
          consequence={t`You can no longer sign in with it. Without another second factor, your password alone is enough.`}
          action={t`Remove passkey`}
          danger
          onClose={() => setRemoved(undefined)}
          onConfirm={async () => {
            const params = { path: { passkeyId: removed.id } };
            await api.DELETE("/api/auth/passkeys/{passkeyId}", { params });
            await refetch();
            notify(t`Passkey removed.`, { type: "info" });
          }}
        />
      )}
    </Section>
  );
}

const factsOf = ({ createdAt, lastUsedAt, backedUp }: Passkey) =>
  [
    t`Added ${{ time: relative(createdAt) }}`,
    lastUsedAt ? t`used ${{ time: relative(lastUsedAt) }}` : t`never used`,
    backedUp && t`shared by your devices`,
  ]
    .filter(Boolean)
    .join(", ");

interface AddPasskeyDialogProps {
  onAdded: (recoveryCodes: string[] | null) => Promise<void>;
  onClose: () => void;
}

/** Names a passkey and has the browser create it. */
function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const form = useApiForm({
    values: { name: "" },
    checks: RegisterPasskeyRequest,
    send: async ({ name }) => {
      const { data: options } = await api.POST("/api/auth/passkeys/options");
      if (!options) return;
      const credential = await createPasskey(options);
      const body = { name, credential };
      const { data } = await api.POST("/api/auth/passkeys/register", { body });
      await onAdded(data?.recoveryCodes ?? null);
    },
  });
  return (
    <FormDialog form={form} title={t`Add a passkey`} action={t`Continue`} onClose={onClose}>
      <DialogContentText>
        {t`Your browser asks you next. From then on, signing in with your password also asks for a second factor.`}
      </DialogContentText>
      <FormField
        {...form.field("name")}
        helperText={t`A name to recognize it by, for example “Work laptop”.`}
        autoFocus
      />
    </FormDialog>
  );
}
