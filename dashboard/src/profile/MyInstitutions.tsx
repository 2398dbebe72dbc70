import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { api } from "../api/client";
import type { Membership, Profile } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Column, Row } from "../ui/layout/layout";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { notify } from "../ui/toasts/toasts";
import styles from "./profile.module.css";
import { useProfile } from "./useProfile";

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
      <Column as="ul" gap="s">
        {profile.memberships.map((held) => (
          <Row key={held.institutionId} as="li" gap="s" className={styles.institution}>
            <Link
              component={RouterLink}
              to={`/institutions/${held.institutionId}`}
              className={styles.name}
            >
              {held.institutionName}
            </Link>
            <StatusChip status={held.role} />
            <Button
              size="small"
              className={styles.end}
              aria-label={t`Leave ${{ institution: held.institutionName }}`}
              onClick={() => setLeaving(held)}
            >
              {t`Leave`}
            </Button>
          </Row>
        ))}
      </Column>
      {leaving && (
        <LeaveDialog profile={profile} held={leaving} onClose={() => setLeaving(undefined)} />
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
