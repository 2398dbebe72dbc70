import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useWatch } from "react-hook-form";
import { api } from "../../api/client";
import type { Role } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { ROLE_LABELS } from "../../ui/labels";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useInstitution, type Can } from "../../ui/useInstitution";
import { AssignmentFields } from "../parts/AssignmentFields";
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

type Assigned = Pick<Member, "role" | "productIds" | "releaseIds">;

const draftOf = ({ role, productIds, releaseIds }: Member): Assigned => ({
  role,
  productIds,
  releaseIds,
});

const bodyOf = (draft: Assigned) => (draft.role === "Member" ? draft : { role: draft.role });

interface MemberDialogProps {
  institutionId: string;
  can: Can;
  member: Member;
  onClose: () => void;
}

/** Changes the role and the assignments of a member. */
export function MemberDialog({ institutionId, can, member, onClose }: MemberDialogProps) {
  const { profile } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const name = member.fullName;
  const form = useApiForm({
    values: draftOf(member),
    send: async (draft) => {
      await api.PUT("/api/institutions/{institutionId}/members/{userId}", {
        params: { path: { institutionId, userId: member.userId } },
        body: bodyOf(draft),
      });
      notifyChanged(t`${name} is now ${{ role: ROLE_LABELS[draft.role] }}.`);
    },
  });
  const { control, field } = form;
  const role = useWatch({ control, name: "role" });
  const warnings = consequences(member.role, role, profile?.id === member.userId);
  return (
    <FormDialog form={form} title={t`Role of ${name}`} action={t`Save`} onClose={onClose}>
      <RoleField {...field("role")} can={can} />
      {role === "Member" && (
        <AssignmentFields
          institutionId={institutionId}
          products={field("productIds")}
          releases={field("releaseIds")}
        />
      )}
      {warnings.length > 0 && <Alert severity="warning">{warnings.join(" ")}</Alert>}
    </FormDialog>
  );
}
