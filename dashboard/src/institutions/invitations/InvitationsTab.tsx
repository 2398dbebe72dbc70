import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { AddPersonIcon, MailIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date, dateTime, relative } from "../../ui/formats";
import { ROLE_LABELS } from "../../ui/labels";
import { Row } from "../../ui/layout/layout";
import { StatusChip } from "../../ui/StatusChip";
import styles from "../parts/parts.module.css";
import type { TabProps } from "../parts/TabProps";
import type { Invitation } from "./invitation";
import { InvitationActions } from "./InvitationActions";
import { InviteDialog } from "./InviteDialog";
import { LinkDialog } from "./LinkDialog";

/** The invitations of the institution and their status. */
export function InvitationsTab({ institutionId, can }: TabProps) {
  const [invites, setInvites] = useState(false);
  const [shown, setShown] = useState<Invitation | null>(null);
  const invite = (
    <Button variant="contained" startIcon={<AddPersonIcon />} onClick={() => setInvites(true)}>
      {t`Invite`}
    </Button>
  );
  return (
    <>
      <Row place="atEnd" className={styles.head}>
        {invite}
      </Row>
      <DataList
        path={`institutions/${institutionId}/invitations`}
        sort="-createdAt"
        empty={
          <EmptyState icon={<MailIcon />} title={t`No invitations yet`} action={invite}>
            {t`People you invite get an email with a link that works once and is valid for seven days.`}
          </EmptyState>
        }
      >
        <Table<Invitation>
          label={t`Invitations`}
          columns={[
            {
              key: "email",
              label: t`Email`,
              sort: "email",
              cell: (invitation) => (
                <Typography variant="subtitle2" component="p">
                  {invitation.email}
                </Typography>
              ),
            },
            { key: "role", label: t`Role`, from: "sm", cell: ({ role }) => ROLE_LABELS[role] },
            {
              key: "status",
              label: t`Status`,
              cell: ({ status }) => <StatusChip status={status} />,
            },
            {
              key: "expiresAt",
              label: t`Expires`,
              sort: "expiresAt",
              from: "sm",
              cell: ({ expiresAt, status }) =>
                status === "Pending" ? (
                  <span title={dateTime(expiresAt)}>{relative(expiresAt)}</span>
                ) : (
                  "—"
                ),
            },
            {
              key: "createdAt",
              label: t`Invited`,
              sort: "createdAt",
              from: "sm",
              fits: true,
              cell: (invitation) => date(invitation.createdAt),
            },
            {
              key: "Actions",
              label: t`Actions`,
              isUnlabeled: true,
              align: "end",
              cell: (invitation) => (
                <InvitationActions
                  institutionId={institutionId}
                  invitation={invitation}
                  onShow={setShown}
                />
              ),
            },
          ]}
        />
      </DataList>
      {invites && (
        <InviteDialog
          institutionId={institutionId}
          can={can}
          onInvited={setShown}
          onClose={() => setInvites(false)}
        />
      )}
      {shown && <LinkDialog invitation={shown} onClose={() => setShown(null)} />}
    </>
  );
}
