import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { useChanged } from "../../ui/useChanged";
import { useInstitution } from "../../ui/useInstitution";
import type { Member } from "./member";

interface RemoveDialogProps {
  institutionId: string;
  member: Member;
  onClose: () => void;
}

/** Takes somebody out of the institution, or leaves it. */
export function RemoveDialog({ institutionId, member, onClose }: RemoveDialogProps) {
  const { profile } = useInstitution();
  const changed = useChanged();
  const queries = useQueryClient();
  const notify = useNotify();
  const navigate = useNavigate();
  const leaves = profile?.id === member.userId;
  const remove = async () => {
    await api.DELETE("/api/institutions/{institutionId}/members/{userId}", {
      params: { path: { institutionId, userId: member.userId } },
    });
    if (!leaves) {
      changed(`${member.fullName} does not belong here any more.`);
      return;
    }
    await navigate("/institutions");
    notify("You have left the institution.", { type: "success" });
    // Not what the page has asked of the institution, which would be refused by now.
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
  };
  return (
    <ConfirmDialog
      title={leaves ? "Leave this institution" : `Remove ${member.fullName}`}
      action={leaves ? "Leave" : "Remove"}
      danger
      consequence={
        leaves
          ? "From the next request on you see nothing of it. The API keys that you made here are revoked for good. Your account and your other institutions stay. To come back, somebody has to invite you."
          : `From the next request on, ${member.email} sees nothing of this institution. The API keys that they made here are revoked for good, and programs that use them stop. Their account and their other institutions stay.`
      }
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
