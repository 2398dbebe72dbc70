import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api, at } from "../../api/client";
import { dateTime, relative } from "../../ui/formats";
import { linkActions } from "../../ui/InvitationLink";
import { ROLE_LABELS } from "../../ui/labels";
import { DataList } from "../../ui/list/DataList";
import { StatusChip } from "../../ui/StatusChip";
import { actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { useActions } from "../../ui/useActions";
import { type Invitation, InvitationDialog } from "./Invite";
import styles from "./team.module.css";

/** The people who are invited and have not joined yet; nothing while there are none. */
export function InvitedList({ institutionId }: { institutionId: string }) {
  const [shown, setShown] = useState<Invitation | null>(null);
  const actions = useInvitationActions(institutionId, setShown);
  return (
    <div className={styles.invited}>
      <DataList
        path={`institutions/${institutionId}/invitations`}
        part={t`Invited`}
        fixed={{ open: true }}
        inUrl={false}
        sort="-createdAt"
      >
        <Table<Invitation>
          label={t`Invited`}
          columns={[
            {
              key: "email",
              label: t`Email`,
              cell: ({ email }) => (
                <Typography variant="subtitle2" component="p" className={styles.person}>
                  {email}
                </Typography>
              ),
            },
            { key: "role", label: t`Role`, short: "beside", cell: ({ role }) => ROLE_LABELS[role] },
            {
              key: "expiresAt",
              label: t`Link expires`,
              cell: ({ expiresAt, status }) =>
                status === "Pending" ? (
                  <span title={dateTime(expiresAt)}>{relative(expiresAt)}</span>
                ) : (
                  <StatusChip status={status} />
                ),
            },
            { key: "createdAt", label: t`Invited`, fits: true, as: "date" },
            actionsColumn((invitation) => (
              <RowMenu name={invitation.email} acts={actions.of(invitation)} />
            )),
          ]}
        />
      </DataList>
      {actions.dialog}
      {shown && <InvitationDialog invitation={shown} onClose={() => setShown(null)} />}
    </div>
  );
}

/** Show link, resend and revoke, for pending or expired invitations. */
const useInvitationActions = (institutionId: string, onShow: (invitation: Invitation) => void) =>
  useActions((invitation: Invitation) => {
    const { id: invitationId, email, status } = invitation;
    const place = at({ institutionId, invitationId });
    const isOpen = status === "Pending" || status === "Expired";
    return [
      ...linkActions({
        name: email,
        invitation,
        hasLink: status === "Pending",
        canResend: isOpen,
        consequence: t`${email} gets a new email, and you get a new link to share. Both are valid for seven days; earlier links stop working.`,
        resend: () =>
          api.POST("/api/institutions/{institutionId}/invitations/{invitationId}/resend", place),
        onShow,
      }),
      {
        label: t`Revoke invitation`,
        isGrave: true,
        isOffered: isOpen,
        confirm: {
          title: t`Revoke invitation`,
          danger: true,
          consequence: t`The links sent to ${email} stop working immediately. Anyone who opens one is asked to request a new invitation.`,
          onConfirm: () =>
            api.DELETE("/api/institutions/{institutionId}/invitations/{invitationId}", place),
          done: t`Invitation to ${email} revoked.`,
        },
      },
    ];
  });
