import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useState } from "react";
import { api } from "../../api/client";
import type { Role } from "../../api/types";
import { FormDialog } from "../../ui/FormDialog";
import { ROLE_LABELS } from "../../ui/labels";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useInstitution, type Can } from "../../ui/useInstitution";
import { AssignmentFields, type Assigned } from "../parts/AssignmentFields";
import { RoleField } from "../parts/RoleField";
import { ROLES } from "../parts/roles";
import type { Member } from "./member";

const RULING: readonly Role[] = ["Owner", "Admin"];

/** Consequences of a role change beyond the role's own description. */
function consequences(before: Role, after: Role, isSelf: boolean): string[] {
  if (before === after) return [];
  const loses = ROLES.indexOf(after) > ROLES.indexOf(before);
  return [
    isSelf
      ? t`The change takes effect with the next request, also for API keys you created.`
      : t`The change takes effect with the next request, also for API keys they created.`,
    ...(before === "Member" ? [t`Current assignments are removed and not restored later.`] : []),
    ...(loses && RULING.includes(before) ? [linksEnd(isSelf)] : []),
    ...(isSelf && loses ? [t`You cannot undo this yourself.`] : []),
  ];
}

const linksEnd = (isSelf: boolean) =>
  isSelf
    ? t`Pending invitation links you could share stop working until they are resent.`
    : t`Pending invitation links they could share stop working until they are resent.`;

interface MemberDialogProps {
  institutionId: string;
  can: Can;
  member: Member;
  onClose: () => void;
}

/** Changes the role and the assignments of a member. */
export function MemberDialog({ institutionId, can, member, onClose }: MemberDialogProps) {
  const [role, setRole] = useState<Role>(member.role);
  const [assigned, setAssigned] = useState<Assigned>(member);
  const { profile } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const name = member.fullName;
  const save = async () => {
    const { productIds, releaseIds } = assigned;
    await api.PUT("/api/institutions/{institutionId}/members/{userId}", {
      params: { path: { institutionId, userId: member.userId } },
      body: role === "Member" ? { role, productIds, releaseIds } : { role },
    });
    notifyChanged(t`${name} is now ${{ role: ROLE_LABELS[role] }}.`);
  };
  const warnings = consequences(member.role, role, profile?.id === member.userId);
  return (
    <FormDialog title={t`Role of ${name}`} action={t`Save`} onSubmit={save} onClose={onClose}>
      <RoleField value={role} onChange={setRole} can={can} />
      {role === "Member" && (
        <AssignmentFields
          institutionId={institutionId}
          assigned={assigned}
          onChange={setAssigned}
        />
      )}
      {warnings.length > 0 && <Alert severity="warning">{warnings.join(" ")}</Alert>}
    </FormDialog>
  );
}
