import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useState, type ReactNode } from "react";
import { BlockIcon, LinkIcon, SendIcon } from "../../ui/icons";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Row } from "../../ui/layout/layout";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Invitation } from "./invitation";

const Act = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <Tooltip title={label}>
    <IconButton size="small" aria-label={label} onClick={onClick}>
      {icon}
    </IconButton>
  </Tooltip>
);

interface InvitationActionsProps {
  institutionId: string;
  invitation: Invitation;
  /** Shows the invitation link. */
  onShow: (invitation: Invitation) => void;
}

/** Show link, resend and revoke, for pending or expired invitations. */
export function InvitationActions({ institutionId, invitation, onShow }: InvitationActionsProps) {
  const [asked, setAsked] = useState<"resend" | "revoke" | null>(null);
  const notifyChanged = useNotifyChanged();
  const { email, status } = invitation;
  if (status !== "Pending" && status !== "Expired") return null;
  const params = { path: { institutionId, invitationId: invitation.id } };
  const resend = async () => {
    const { data } = await api.POST(
      "/api/institutions/{institutionId}/invitations/{invitationId}/resend",
      { params },
    );
    notifyChanged(t`Invitation resent to ${email}.`);
    if (data) onShow(data);
  };
  const revoke = async () => {
    await api.DELETE("/api/institutions/{institutionId}/invitations/{invitationId}", { params });
    notifyChanged(t`Invitation to ${email} revoked.`);
  };
  const close = () => setAsked(null);
  return (
    <Row align="stretch" place="atEnd">
      {status === "Pending" && (
        <Act
          label={t`Show link for ${email}`}
          icon={<LinkIcon />}
          onClick={() => onShow(invitation)}
        />
      )}
      <Act label={t`Resend to ${email}`} icon={<SendIcon />} onClick={() => setAsked("resend")} />
      <Act
        label={t`Revoke invitation of ${email}`}
        icon={<BlockIcon />}
        onClick={() => setAsked("revoke")}
      />
      {asked === "resend" && (
        <ConfirmDialog
          title={t`Resend invitation`}
          action={t`Resend`}
          consequence={t`${email} gets a new email, and you get a new link to share. Both are valid for seven days; earlier links stop working.`}
          onConfirm={resend}
          onClose={close}
        />
      )}
      {asked === "revoke" && (
        <ConfirmDialog
          title={t`Revoke invitation`}
          action={t`Revoke invitation`}
          danger
          consequence={t`The links sent to ${email} stop working immediately. Anyone who opens one is told to ask for a new invitation.`}
          onConfirm={revoke}
          onClose={close}
        />
      )}
    </Row>
  );
}
