import MailIcon from "@mui/icons-material/MailOutlined";
import PersonAddIcon from "@mui/icons-material/PersonAddOutlined";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DataTable } from "react-admin";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date, dateTime, relative } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import type { TabProps } from "../parts/TabProps";
import type { Invitation } from "./invitation";
import { InvitationActions } from "./InvitationActions";
import { InviteDialog } from "./InviteDialog";
import { LinkDialog } from "./LinkDialog";

const WIDE = { display: { xs: "none", sm: "table-cell" } };
const TONES = {
  Pending: "warning",
  Accepted: "success",
  Expired: "error",
  Revoked: "default",
} as const;
const Column = DataTable.Col<Invitation>;

/** The invitations of the institution and their status. */
export function InvitationsTab({ institutionId, can }: TabProps) {
  const [invites, setInvites] = useState(false);
  const [shown, setShown] = useState<Invitation | null>(null);
  const invite = (
    <Button
      variant="contained"
      startIcon={<PersonAddIcon />}
      onClick={() => {
        setInvites(true);
      }}
    >
      Invite
    </Button>
  );
  return (
    <>
      <Stack sx={{ alignItems: "flex-end", mb: 1 }}>{invite}</Stack>
      <DataList<Invitation>
        resource={`institutions/${institutionId}/invitations`}
        sort={{ field: "createdAt", order: "DESC" }}
        empty={
          <EmptyState
            icon={<MailIcon color="disabled" fontSize="large" />}
            title="No invitations yet"
            action={invite}
          >
            People you invite get an email with a link that works once and is valid for seven days.
          </EmptyState>
        }
      >
        <DataTable<Invitation> bulkActionButtons={false} rowClick={false}>
          <Column
            source="email"
            label="Email"
            sx={{ minWidth: 130, overflowWrap: "anywhere" }}
            render={(invitation) => (
              <Typography variant="body2" sx={{ fontWeight: 600 }}>
                {invitation.email}
              </Typography>
            )}
          />
          <Column source="role" label="Role" disableSort sx={WIDE} />
          <Column
            source="status"
            label="Status"
            disableSort
            render={({ status }) => <StatusChip status={status} tone={TONES[status]} />}
          />
          <Column
            source="expiresAt"
            label="Expires"
            sx={WIDE}
            render={({ expiresAt, status }) =>
              status === "Pending" ? (
                <span title={dateTime(expiresAt)}>{relative(expiresAt)}</span>
              ) : (
                "—"
              )
            }
          />
          <Column
            source="createdAt"
            label="Invited"
            sx={{ ...WIDE, whiteSpace: "nowrap" }}
            render={(invitation) => date(invitation.createdAt)}
          />
          <Column
            label="Actions"
            disableSort
            align="right"
            render={(invitation) => (
              <InvitationActions
                institutionId={institutionId}
                invitation={invitation}
                onShow={setShown}
              />
            )}
          />
        </DataTable>
      </DataList>
      {invites && (
        <InviteDialog
          institutionId={institutionId}
          can={can}
          onInvited={setShown}
          onClose={() => {
            setInvites(false);
          }}
        />
      )}
      {shown && (
        <LinkDialog
          invitation={shown}
          onClose={() => {
            setShown(null);
          }}
        />
      )}
    </>
  );
}
