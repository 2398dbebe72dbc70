import { t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../../api/client";
import type { Role } from "../../api/types";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Can } from "../../ui/useInstitution";
import { AssignmentFields, type Assigned } from "../parts/AssignmentFields";
import { RoleField } from "../parts/RoleField";
import type { Invitation } from "./invitation";

interface InviteDialogProps {
  institutionId: string;
  can: Can;
  onInvited: (invitation: Invitation) => void;
  onClose: () => void;
}

/** Invites a user with a role and, for a Member, assignments. */
export function InviteDialog({ institutionId, can, onInvited, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("Viewer");
  const [assigned, setAssigned] = useState<Assigned>({ productIds: [], releaseIds: [] });
  const notifyChanged = useNotifyChanged();
  const invite = async () => {
    const { data } = await api.POST("/api/institutions/{institutionId}/invitations", {
      params: { path: { institutionId } },
      body: { email: email.trim(), role, ...(role === "Member" && assigned) },
    });
    if (!data) return;
    notifyChanged(t`Invitation sent to ${{ email: data.email }}.`);
    onInvited(data);
  };
  return (
    <FormDialog title={t`Invite`} action={t`Invite`} onSubmit={invite} onClose={onClose}>
      <FormField
        name="email"
        type="email"
        label={t`Email address`}
        required
        autoFocus
        value={email}
        onValue={setEmail}
        slotProps={{ htmlInput: { maxLength: 254 } }}
      />
      <RoleField value={role} onChange={setRole} can={can} />
      {role === "Member" && (
        <AssignmentFields
          institutionId={institutionId}
          assigned={assigned}
          onChange={setAssigned}
        />
      )}
    </FormDialog>
  );
}
