import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import { useState } from "react";
import { $api, api } from "../api/client";
import { hasPasskeys } from "../api/passkeys";
import type { Profile, Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { relative } from "../ui/formats";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { AddPasskeyDialog } from "./AddPasskeyDialog";
import { useProfile } from "./useProfile";
import { notify } from "../ui/toasts/toasts";

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
      title="Passkeys"
      subtitle="Sign in with the fingerprint, face or PIN of your device, or with a security key. A passkey is your second factor, and can replace the password."
      help="sign-in-and-security"
      actions={
        canAdd && (
          <Button
            variant="outlined"
            onClick={() => {
              setAdds(true);
            }}
          >
            Add passkey
          </Button>
        )
      }
    >
      {!profile.emailVerified && (
        <Alert severity="info">Verify your email address before you add a passkey.</Alert>
      )}
      {!hasPasskeys() && <Alert severity="info">This browser does not support passkeys.</Alert>}
      {listed.error && <ProblemAlert error={listed.error} retry={() => void listed.refetch()} />}
      {passkeys.length > 0 && (
        <List disablePadding aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <ListItem
              key={passkey.id}
              disableGutters
              divider
              secondaryAction={
                <Button
                  size="small"
                  color="error"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => {
                    setRemoved(passkey);
                  }}
                >
                  Remove
                </Button>
              }
            >
              <ListItemText primary={<bdi>{passkey.name}</bdi>} secondary={factsOf(passkey)} />
            </ListItem>
          ))}
        </List>
      )}
      {adds && (
        <AddPasskeyDialog
          onClose={() => {
            setAdds(false);
          }}
          onAdded={async (codes) => {
            await refetch();
            notify("Passkey added.", { type: "success" });
            if (codes) await onCodes(codes);
          }}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={`Remove the passkey “${removed.name}”?`}
          consequence="You can no longer sign in with it. Without another second factor, your password alone is enough."
          action="Remove passkey"
          danger
          onClose={() => {
            setRemoved(undefined);
          }}
          onConfirm={async () => {
            const params = { path: { passkeyId: removed.id } };
            await api.DELETE("/api/auth/passkeys/{passkeyId}", { params });
            await refetch();
            notify("Passkey removed.", { type: "info" });
          }}
        />
      )}
    </Section>
  );
}

const factsOf = ({ createdAt, lastUsedAt, backedUp }: Passkey) =>
  [
    `Added ${relative(createdAt)}`,
    lastUsedAt ? `used ${relative(lastUsedAt)}` : "never used",
    backedUp && "shared by your devices",
  ]
    .filter(Boolean)
    .join(", ");
