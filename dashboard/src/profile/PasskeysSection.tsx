import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import { useState } from "react";
import { RegisterPasskeyRequest } from "../api/checks";
import { $api, api } from "../api/client";
import { createPasskey, hasPasskeys } from "../api/passkeys";
import type { Profile, Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { relative } from "../ui/formats";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { RowMenu } from "../ui/table/RowMenu";
import { notify } from "../ui/toasts/toasts";
import { useProfile } from "./useProfile";

type Passkey = Schemas["Passkey"];

interface PasskeysSectionProps {
  profile: Profile;
  onCodes: (codes: string[]) => Promise<void>;
}

/** The user's passkeys: added, listed and removed. */
export function PasskeysSection({ profile, onCodes }: PasskeysSectionProps) {
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
