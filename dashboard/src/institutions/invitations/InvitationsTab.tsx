import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { InvitationRequest } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import type { Role, Schemas } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { EmptyState } from "../../ui/EmptyState";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime, relative } from "../../ui/formats";
import { AddPersonIcon, MailIcon } from "../../ui/icons";
import { linkActions, LinkDialog } from "../../ui/InvitationLink";
import { ROLE_LABELS } from "../../ui/labels";
import { Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { useActions } from "../../ui/useActions";
import { type Can, useInstitution } from "../../ui/useInstitution";
import { AssignmentFields } from "../parts/AssignmentFields";
import styles from "../parts/parts.module.css";
import { RoleField } from "../parts/RoleField";
import type { TabProps } from "../parts/TabProps";

type Invitation = Schemas["Invitation"];

/** Invites a user, and then shows the link to share. */
export function InviteButton({ institutionId, can }: TabProps) {
  const [invites, setInvites] = useState(false);
  const [shown, setShown] = useState<Invitation | null>(null);
  return (
    <>
      <Button variant="contained" startIcon={<AddPersonIcon />} onClick={() => setInvites(true)}>
        {t`Invite`}
      </Button>
      {invites && (
        <InviteDialog
          institutionId={institutionId}
          can={can}
          onInvited={setShown}
          onClose={() => setInvites(false)}
        />
      )}
      {shown && <InvitationDialog invitation={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** The invitations of the institution and their status. */
export function InvitationsTab(props: TabProps) {
  const { institutionId } = props;
  const [shown, setShown] = useState<Invitation | null>(null);
  const actions = useInvitationActions(institutionId, setShown);
  return (
    <>
      <Row place="atEnd" className={styles.head}>
        <InviteButton {...props} />
      </Row>
      <DataList
        path={`institutions/${institutionId}/invitations`}
        sort="-createdAt"
        empty={
          <EmptyState
            icon={<MailIcon />}
            title={t`No invitations yet`}
            action={<InviteButton {...props} />}
          >
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
              sort: true,
              cell: (invitation) => (
                <Typography variant="subtitle2" component="p">
                  {invitation.email}
                </Typography>
              ),
            },
            { key: "role", label: t`Role`, cell: ({ role }) => ROLE_LABELS[role] },
            { key: "status", label: t`Status`, as: "status" },
            {
              key: "expiresAt",
              label: t`Expires`,
              sort: true,
              cell: ({ expiresAt, status }) =>
                status === "Pending" ? (
                  <span title={dateTime(expiresAt)}>{relative(expiresAt)}</span>
                ) : (
                  "—"
                ),
            },
            { key: "createdAt", label: t`Invited`, sort: true, fits: true, as: "date" },
            actionsColumn((invitation) => (
              <RowMenu name={invitation.email} acts={actions.of(invitation)} />
            )),
          ]}
        />
      </DataList>
      {actions.dialog}
      {shown && <InvitationDialog invitation={shown} onClose={() => setShown(null)} />}
    </>
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

type Status = Schemas["MailStatus"];

const STATUS_ALERTS: Record<Status, [severity: "success" | "info" | "warning", sentence: string]> =
  {
    Sent: ["success", t`Email sent.`],
    Waiting: [
      "info",
      t`The email has not been sent yet. If no mail server is configured it never will be: share the link instead.`,
    ],
    Failed: ["warning", t`The email could not be sent. Share the link instead.`],
  };

const ASKED_EVERY_MS = 3_000;

/** Delivery status of the latest email to the address; visible to system Admins only. */
function Sending({ email }: { email: string }) {
  const { data } = $api.useQuery(
    "get",
    "/api/mails",
    { params: { query: { pageSize: 100, sort: "-createdAt" } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
  const letter = data?.items.find((item) => item.recipient === email);
  const [severity, sentence] = STATUS_ALERTS[letter?.status ?? "Waiting"];
  return (
    <Alert severity={severity}>
      {sentence}{" "}
      <PageLink to="/mails" color="inherit">
        {t`Emails`}
      </PageLink>
    </Alert>
  );
}

/** Delivery status of the invitation email. */
function InvitationEmailStatus({ invitation }: { invitation: Invitation }) {
  const { profile } = useInstitution();
  if (invitation.status !== "Pending") return null;
  if (profile?.isSystemAdmin) return <Sending email={invitation.email} />;
  return (
    <Alert severity="info">
      {t`An email with its own link goes to ${{ email: invitation.email }}. If this service has no mail server configured, share the link below instead.`}
    </Alert>
  );
}

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
function InviteDialog({ institutionId, can, onInvited, onClose }: InviteDialogProps) {
  const form = useApiForm({
    values: NONE,
    checks: InvitationRequest,
    send: async (draft) => {
      const { data } = await api.POST("/api/institutions/{institutionId}/invitations", {
        ...at({ institutionId }),
        body: bodyOf(draft),
      });
      if (data) onInvited(data);
    },
    done: ({ email }) => t`Invitation sent to ${{ email }}.`,
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

interface InvitationDialogProps {
  invitation: Invitation;
  onClose: () => void;
}

/** Shows the invitation link, to share if the email does not arrive. */
const InvitationDialog = ({ invitation, onClose }: InvitationDialogProps) => (
  <LinkDialog title={t`Invitation for ${{ name: invitation.email }}`} onClose={onClose}>
    <InvitationEmailStatus invitation={invitation} />
    {invitation.acceptUrl ? (
      <>
        <CopyField label={t`Invitation link`} value={invitation.acceptUrl} block />
        <Muted>
          {t`It works once, until ${{ end: dateTime(invitation.expiresAt) }}. Anyone who has it can join as ${{ role: ROLE_LABELS[invitation.role] }} with this email address, so share it privately.`}
        </Muted>
      </>
    ) : (
      <Alert severity="info">
        {t`The link is not available. It is shown only while the invitation is pending, and only to users who may assign this role. Resend the invitation to create a new link.`}
      </Alert>
    )}
  </LinkDialog>
);
