import { t } from "@lingui/core/macro";
import { RowMenu } from "../../ui/table/RowMenu";
import { useInstitution, type Can } from "../../ui/useInstitution";
import type { Member } from "./member";

interface MemberActionsProps {
  member: Member;
  can: Can;
  onChange: () => void;
  onRemove: () => void;
}

/** Actions on a member: only Owners change Owners, and every member may leave. */
export function MemberActions({ member, can, onChange, onRemove }: MemberActionsProps) {
  const { profile } = useInstitution();
  const isSelf = profile?.id === member.userId;
  const rules = member.role === "Owner" ? can.own : can.manage;
  if (!rules && !isSelf) return null;
  return (
    <RowMenu
      name={member.fullName}
      acts={[
        ...(rules ? [{ label: t`Edit role and assignments`, act: onChange }] : []),
        {
          label: isSelf ? t`Leave institution` : t`Remove from institution`,
          act: onRemove,
        },
      ]}
    />
  );
}
