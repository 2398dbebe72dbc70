import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useState } from "react";
import { AssociationRequest } from "../../api/checks";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { AddButton } from "../../ui/AddButton";
import { linkActions, LinkDialog } from "../../ui/InvitationLink";
import { CopyField } from "../../ui/CopyField";
import { EmptyState } from "../../ui/EmptyState";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { date, dateTime, relative } from "../../ui/formats";
import { InstitutionIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { Muted } from "../../ui/Muted";
import { TabHeading } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { TwoLines, actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { useActions } from "../../ui/useActions";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { TabProps } from "../parts/TabProps";

type Association = Schemas["Association"];

/** The name of the other side once it has accepted; before that, the invited address or ID. */
const nameOf = ({ institutionName, email, institutionId }: Association): string =>
  institutionName ?? email ?? institutionId ?? t`an institution`;

const isExpired = ({ status, expiresAt }: Association): boolean =>
  status === "Invited" && expiresAt !== null && new Date(expiresAt) <= new Date();

/** The institutions that the product is licensed to, and those invited. */
export function AssociationsTab({ product, manage }: TabProps) {
  const [invites, setInvites] = useState(false);
  const [shown, setShown] = useState<Association | null>(null);
  const actions = useAssociationActions(product.id, setShown);
  const invite = manage && (
    <AddButton onClick={() => setInvites(true)}>{t`Invite institution`}</AddButton>
  );
  return (
    <Column gap="s">
      <TabHeading title={t`Associations`} help="associations" action={invite}>
        {t`Licenses of this product are issued to associated institutions only. An institution becomes associated when one of its Owners accepts your invitation; its members then see the licenses that you issue to it, and manage their devices.`}
      </TabHeading>
      <AssociationList productId={product.id} manage={manage} actions={actions} />
      {actions.dialog}
      {invites && (
        <InviteDialog
          productId={product.id}
          onInvited={setShown}
          onClose={() => setInvites(false)}
        />
      )}
      {shown && <InvitationDialog association={shown} onClose={() => setShown(null)} />}
    </Column>
  );
}

/** What can be done with an association, or the invitation to one. */
const useAssociationActions = (productId: string, onShow: (association: Association) => void) =>
  useActions((association: Association) => {
    const name = nameOf(association);
    const isInvited = association.status === "Invited";
    const place = at({ productId, associationId: association.id });
    const remove = () =>
      api.DELETE("/api/products/{productId}/associations/{associationId}", place);
    return [
      ...linkActions({
        name,
        invitation: association,
        hasLink: Boolean(association.inviteUrl),
        canResend: isInvited,
        consequence: t`${name} gets a new email, and you get a new link to share. It is valid for seven days; earlier links stop working.`,
        resend: () =>
          api.POST("/api/products/{productId}/associations/{associationId}/resend", place),
        onShow,
      }),
      {
        label: t`Withdraw invitation`,
        isGrave: true,
        isOffered: isInvited,
        confirm: {
          title: t`Withdraw invitation`,
          danger: true,
          consequence: t`The link sent to ${name} stops working immediately.`,
          onConfirm: remove,
          done: t`Invitation of ${name} withdrawn.`,
        },
      },
      {
        // Refused while the institution has live licenses.
        label: t`Remove association`,
        isGrave: true,
        isOffered: !isInvited,
        confirm: {
          title: t`Remove association with ${name}`,
          action: t`Remove association`,
          danger: true,
          consequence: t`You can no longer issue licenses of this product to the institution; it still sees those that have ended. An association cannot be removed while the institution has licenses that are neither revoked nor expired: revoke them first, or wait until their terms end.`,
          onConfirm: remove,
          done: t`Association with ${name} removed.`,
        },
      },
    ];
  });

interface AssociationListProps {
  productId: string;
  manage: boolean;
  actions: ReturnType<typeof useAssociationActions>;
}

/** A table of associated and invited institutions. */
const AssociationList = ({ productId, manage, actions }: AssociationListProps) => (
  <DataList
    path={`products/${productId}/associations`}
    sort="-createdAt"
    empty={
      <EmptyState icon={<InstitutionIcon />} title={t`No institution is associated yet`}>
        {t`Invite your customers’ institutions. You can issue licenses to an institution once it has accepted.`}
      </EmptyState>
    }
  >
    <Table<Association>
      label={t`Associations`}
      columns={[
        {
          key: "email",
          label: t`Institution`,
          sort: true,
          cell: (association) => (
            <TwoLines second={association.institutionName && association.email}>
              {nameOf(association)}
            </TwoLines>
          ),
        },
        { key: "Status", label: t`Status`, cell: statusOf },
        { key: "createdAt", label: t`Invited`, sort: true, fits: true, as: "date" },
        { key: "expiresAt", label: t`Term`, cell: termOf },
        manage &&
          actionsColumn((association) => (
            <RowMenu name={nameOf(association)} acts={actions.of(association)} />
          )),
      ]}
    />
  </DataList>
);

function termOf({ acceptedAt, expiresAt }: Association) {
  if (acceptedAt) return t`since ${{ day: date(acceptedAt) }}`;
  return (
    expiresAt && (
      <span title={dateTime(expiresAt)}>{t`expires ${{ when: relative(expiresAt) }}`}</span>
    )
  );
}

function statusOf(association: Association) {
  if (association.status === "Associated") return <StatusChip status="Associated" />;
  return isExpired(association) ? <StatusChip status="Expired" /> : <StatusChip status="Invited" />;
}

interface Invitation {
  by: "email" | "institutionId";
  email: string;
  institutionId: string;
}

const NONE: Invitation = { by: "email", email: "", institutionId: "" };

const bodyOf = ({ by, email, institutionId }: Invitation) =>
  by === "email" ? { email: email.trim() } : { institutionId: institutionId.trim() };

interface InviteDialogProps {
  productId: string;
  onInvited: (association: Association) => void;
  onClose: () => void;
}

/** Invites an institution: by the email address of someone there, or by its ID. */
function InviteDialog({ productId, onInvited, onClose }: InviteDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: NONE,
    checks: AssociationRequest,
    send: async (invitation) => {
      const { data } = await api.POST("/api/products/{productId}/associations", {
        ...at({ productId }),
        body: bodyOf(invitation),
      });
      if (!data) return;
      notifyChanged(t`Invitation sent to ${nameOf(data)}.`);
      onInvited(data);
    },
  });
  const by = useField(form.field("by"));
  return (
    <FormDialog
      form={form}
      title={t`Invite institution`}
      action={t`Invite institution`}
      onClose={onClose}
    >
      <RadioGroup row aria-label={t`Invite by`} value={by.value} onChange={by.set}>
        <FormControlLabel value="email" control={<Radio />} label={t`By email`} />
        <FormControlLabel value="institutionId" control={<Radio />} label={t`By institution ID`} />
      </RadioGroup>
      {by.value === "email" ? (
        <FormField
          key="email"
          {...form.field("email")}
          type="email"
          label={t`Email address`}
          required
          autoFocus
          helperText={t`The address of an Owner, or of someone who can forward the link to one.`}
        />
      ) : (
        <FormField
          key="institutionId"
          {...form.field("institutionId")}
          label={t`Institution ID`}
          required
          autoFocus
          demand={{ maxLength: 36 }}
          helperText={t`The customer finds it under Institutions. Only this institution can accept.`}
        />
      )}
    </FormDialog>
  );
}

interface InvitationDialogProps {
  association: Association;
  onClose: () => void;
}

const endOf = ({ expiresAt }: Association) => (expiresAt ? dateTime(expiresAt) : "");

/** Shows the link of an invitation, to share if the email does not arrive. */
const InvitationDialog = ({ association, onClose }: InvitationDialogProps) => (
  <LinkDialog title={t`Invitation for ${{ name: nameOf(association) }}`} onClose={onClose}>
    <Alert severity="info">
      {association.email
        ? t`An email with this link goes to ${association.email}.`
        : t`An email with this link goes to the Owners of the institution, if there is one with this ID.`}{" "}
      {t`If this service has no mail server configured, share the link instead.`}
    </Alert>
    <CopyField label={t`Invitation link`} value={association.inviteUrl ?? ""} block />
    <Muted>
      {t`It works once, until ${{ end: endOf(association) }}.`}{" "}
      {association.email
        ? t`An Owner of any institution can accept with it, so share it privately.`
        : t`Only an Owner of the invited institution can accept with it.`}
    </Muted>
  </LinkDialog>
);
