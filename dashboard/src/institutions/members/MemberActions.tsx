import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { RowMenuIcon } from "../../ui/icons";
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
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { profile } = useInstitution();
  const isSelf = profile?.id === member.userId;
  const rules = member.role === "Owner" ? can.own : can.manage;
  if (!rules && !isSelf) return null;
  const choose = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <IconButton
        size="small"
        aria-label={t`Actions for ${{ name: member.fullName }}`}
        aria-haspopup="menu"
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        <RowMenuIcon />
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => {
          setAnchor(null);
        }}
      >
        {rules && <MenuItem onClick={choose(onChange)}>{t`Edit role and assignments`}</MenuItem>}
        <MenuItem onClick={choose(onRemove)}>
          {isSelf ? t`Leave institution` : t`Remove from institution`}
        </MenuItem>
      </Menu>
    </>
  );
}
