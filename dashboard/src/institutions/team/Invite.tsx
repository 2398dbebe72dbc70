import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { InvitationRequest } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import type { Role, Schemas } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime } from "../../ui/formats";
import { AddPersonIcon } from "../../ui/icons";
import { LinkDialog } from "../../ui/InvitationLink";
import { ROLE_LABELS } from "../../ui/labels";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { type Can, useInstitution } from "../../ui/useInstitution";
import { useUrlParams } from "../../ui/useUrlParams";
import { AssignmentFields } from "../parts/AssignmentFields";
import { RoleField } from "../parts/RoleField";
import type { TabProps } from "../parts/TabProps";

export type Invitation = Schemas["Invitation"];

/** `?act=` of it opens the dialog. */
const INVITE = "invite";

/** Invites a user, and then shows the link to share. */
export function InviteButton({ institutionId, can }: TabProps) {
  const { params, change } = useUrlParams();
  const [shown, setShown] = useState<Invitation | null>(null);
  return (
    <>
      <Button
        variant="contained"
        startIcon={<AddPersonIcon />}
        onClick={() => change({ act: INVITE })}
      >
        {t`Invite`}
      </Button>
      {params.get("act") === INVITE && (
        <InviteDialog
          institutionId={institutionId}
          can={can}
          onInvited={setShown}
          onClose={() => change({ act: null }, true)}
        />
      )}
      {shown && <InvitationDialog invitation={shown} onClose={() => setShown(null)} />}
    </>
  );
}

type Status = Schemas["MailStatus"];

const STATUS_ALERTS: Record<Status, [severity: "success" | "info" | "warning", sentence: string]> =
  {
    Sent: ["success", t`Email sent.`],
    Waiting: [
      "info",
      t`The email is sent as soon as a mail server takes it. You can also share the link yourself.`,
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
        {t`Emails of the service`}
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

/** Whether they could not see anything after they joined. */
const seesNothing = ({ role, productIds, releaseIds }: InvitationDraft): boolean =>
  role === "Member" && productIds.length + releaseIds.length === 0;

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
    validate: (draft) => (seesNothing(draft) ? { productIds: t`Choose what they see.` } : {}),
    send: async (draft) => {
      const { data } = await api.POST("/api/institutions/{institutionId}/invitations", {
        ...at({ institutionId }),
        body: bodyOf(draft),
      });
      if (data) onInvited(data);
    },
    done: ({ email }) => t`Invited ${{ email }}.`,
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
export const InvitationDialog = ({ invitation, onClose }: InvitationDialogProps) => (
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
