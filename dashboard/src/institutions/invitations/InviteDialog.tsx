import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { InvitationRequest } from "../../api/checks";
import { api } from "../../api/client";
import type { Role } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Can } from "../../ui/useInstitution";
import { AssignmentFields } from "../parts/AssignmentFields";
import { RoleField } from "../parts/RoleField";
import type { Invitation } from "./invitation";

interface InvitationDraft {
  email: string;
  role: Role;
  productIds: string[];
  releaseIds: string[];
}

const NONE: InvitationDraft = { email: "", role: "Viewer", productIds: [], releaseIds: [] };

const bodyOf = ({ email, role, productIds, releaseIds }: InvitationDraft) => ({
  email: email.trim(),
  role,
  ...(role === "Member" && { productIds, releaseIds }),
});

interface InviteDialogProps {
  institutionId: string;
  can: Can;
  onInvited: (invitation: Invitation) => void;
  onClose: () => void;
}

/** Invites a user with a role and, for a Member, assignments. */
export function InviteDialog({ institutionId, can, onInvited, onClose }: InviteDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: NONE,
    checks: InvitationRequest,
    send: async (draft) => {
      const { data } = await api.POST("/api/institutions/{institutionId}/invitations", {
        params: { path: { institutionId } },
        body: bodyOf(draft),
      });
      if (!data) return;
      notifyChanged(t`Invitation sent to ${{ email: data.email }}.`);
      onInvited(data);
    },
  });
  const { control, field } = form;
  const role = useWatch({ control, name: "role" });
  return (
    <FormDialog form={form} title={t`Invite`} action={t`Invite`} onClose={onClose}>
      <FormField {...field("email")} type="email" label={t`Email address`} autoFocus />
      <RoleField {...field("role")} can={can} />
      {role === "Member" && (
        <AssignmentFields
          institutionId={institutionId}
          products={field("productIds")}
          releases={field("releaseIds")}
        />
      )}
    </FormDialog>
  );
}
