import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useInstitution } from "../../ui/useInstitution";
import type { Member } from "./member";
import { notify } from "../../ui/toasts/toasts";

interface RemoveDialogProps {
  institutionId: string;
  member: Member;
  onClose: () => void;
}

/** Removes a member, or lets the signed-in user leave. */
export function RemoveDialog({ institutionId, member, onClose }: RemoveDialogProps) {
  const { profile } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = member.fullName;
  const leaves = profile?.id === member.userId;
  const remove = async () => {
    await api.DELETE("/api/institutions/{institutionId}/members/{userId}", {
      params: { path: { institutionId, userId: member.userId } },
    });
    if (!leaves) {
      notifyChanged(t`${name} removed from the institution.`);
      return;
    }
    await navigate("/institutions");
    notify(t`You have left the institution.`, { type: "success" });
    // Do not refetch the institution's own queries: they would be rejected now.
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
  };
  return (
    <ConfirmDialog
      title={leaves ? t`Leave institution` : t`Remove ${name}`}
      action={leaves ? t`Leave` : t`Remove`}
      danger
      consequence={
        leaves
          ? t`You lose access immediately, and the API keys you created here are revoked permanently. Your account and your other institutions are not affected. To return, you need a new invitation.`
          : t`${{ email: member.email }} loses access immediately. The API keys they created here are revoked permanently, so programs that use them stop working. Their account and their other institutions are not affected.`
      }
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
