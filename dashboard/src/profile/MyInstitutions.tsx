import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { api } from "../api/client";
import type { Membership, Profile } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { useProfile } from "./useProfile";
import { notify } from "../ui/toasts/toasts";

/** The user's institutions, with a button to leave each. */
export function MyInstitutions({ profile }: { profile: Profile }) {
  const [leaving, setLeaving] = useState<Membership>();
  return (
    <Section title={t`Your institutions`} help="team-and-roles">
      {profile.memberships.length === 0 && (
        <Typography color="textSecondary">
          {t`You do not belong to an institution yet. You can join one when a member invites you.`}
        </Typography>
      )}
      <Stack component="ul" sx={{ gap: 1, m: 0, p: 0, listStyle: "none" }}>
        {profile.memberships.map((held) => (
          <Stack
            key={held.institutionId}
            component="li"
            direction="row"
            sx={{ gap: 1, alignItems: "center", minHeight: 40 }}
          >
            <Link
              component={RouterLink}
              to={`/institutions/${held.institutionId}`}
              sx={{ overflowWrap: "anywhere", minWidth: 0 }}
            >
              {held.institutionName}
            </Link>
            <StatusChip status={held.role} />
            <Button
              size="small"
              sx={{ ml: "auto", flexShrink: 0 }}
              aria-label={t`Leave ${{ institution: held.institutionName }}`}
              onClick={() => {
                setLeaving(held);
              }}
            >
              {t`Leave`}
            </Button>
          </Stack>
        ))}
      </Stack>
      {leaving && (
        <LeaveDialog
          profile={profile}
          held={leaving}
          onClose={() => {
            setLeaving(undefined);
          }}
        />
      )}
    </Section>
  );
}

interface LeaveDialogProps {
  profile: Profile;
  held: Membership;
  onClose: () => void;
}

function LeaveDialog({ profile, held, onClose }: LeaveDialogProps) {
  const { hasChanged } = useProfile();
  return (
    <ConfirmDialog
      title={t`Leave ${{ institution: held.institutionName }}?`}
      consequence={t`You lose access to it, and the API keys you created there are revoked permanently. To return, you need a new invitation.`}
      action={t`Leave institution`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const path = { institutionId: held.institutionId, userId: profile.id };
        await api.DELETE("/api/institutions/{institutionId}/members/{userId}", {
          params: { path },
        });
        await hasChanged();
        notify(t`You have left ${{ institution: held.institutionName }}.`, { type: "info" });
      }}
    />
  );
}
