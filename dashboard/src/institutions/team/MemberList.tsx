import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { api, at } from "../../api/client";
import type { Role, Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { ROLE_LABELS } from "../../ui/labels";
import { Column } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { Muted } from "../../ui/Muted";
import { statusWords } from "../../ui/status";
import { StatusChip } from "../../ui/StatusChip";
import { actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { notify } from "../../ui/toasts/toasts";
import { type Can, useInstitution } from "../../ui/useInstitution";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { AssignmentFields } from "../parts/AssignmentFields";
import { useProductNames, useReleaseNames } from "../parts/ProductsField";
import { RoleField, ROLES } from "../parts/RoleField";
import type { TabProps } from "../parts/TabProps";
import styles from "./team.module.css";

/** With the `id` that lists give every item. */
type Member = Schemas["Member"] & { id: string };

const Person = ({ member }: { member: Member }) => (
  <Column className={styles.person}>
    <Typography variant="subtitle2" component="p" dir="auto">
      {member.fullName}
    </Typography>
    <Typography variant="caption" color="textSecondary">
      {member.email}
    </Typography>
  </Column>
);

const RULING: readonly Role[] = ["Owner", "Admin"];

/** Who may change everything and signs in with a password alone stands out, and why. */
function SecondFactor({ member: { hasSecondFactor, role } }: { member: Member }) {
  if (hasSecondFactor || !RULING.includes(role))
    return <Muted>{statusWords(hasSecondFactor ? "On" : "Off")}</Muted>;
  return (
    <span className={styles.factor}>
      <StatusChip status="Off" tone="wait" />
      <Muted component="span" variant="caption">
        {role === "Owner" ? t`Owners should have one` : t`Admins should have one`}
      </Muted>
    </span>
  );
}

const RoleName = ({ role }: { role: Role }) => (
  <span className={role === "Owner" ? styles.owner : undefined}>{ROLE_LABELS[role]}</span>
);

interface Task {
  kind: "change" | "remove";
  member: Member;
}

/** The members of the institution with their roles and assignments. */
export function MemberList(props: TabProps) {
  const { institutionId, can } = props;
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <>
      <DataList
        path={`institutions/${institutionId}/members`}
        toolbar={<SearchFilter placeholder={t`Name or email`} />}
        kinds={[
          { name: "role", label: t`Role`, choices: ROLES.map((role) => [role, ROLE_LABELS[role]]) },
        ]}
        filterNames={["search", "role"]}
        sort="fullName"
        hasCsv
      >
        <Table<Member>
          label={t`Members`}
          none={t`No members match your search.`}
          columns={[
            {
              key: "fullName",
              label: t`Name`,
              sort: true,
              cell: (member) => <Person member={member} />,
            },
            {
              key: "role",
              label: t`Role`,
              short: "beside",
              cell: (member) => <RoleName role={member.role} />,
            },
            {
              key: "hasSecondFactor",
              label: t`Second factor`,
              cell: (member) => <SecondFactor member={member} />,
            },
            {
              key: "productIds",
              label: t`Access`,
              cell: (member) => <MemberAccess member={member} />,
            },
            { key: "joinedAt", label: t`Joined`, sort: true, fits: true, as: "date" },
            actionsColumn((member) => (
              <MemberActions
                member={member}
                can={can}
                onChange={() => setTask({ kind: "change", member })}
                onRemove={() => setTask({ kind: "remove", member })}
              />
            )),
          ]}
        />
      </DataList>
      {task?.kind === "change" && (
        <MemberDialog
          institutionId={institutionId}
          can={can}
          member={task.member}
          onClose={close}
        />
      )}
      {task?.kind === "remove" && (
        <RemoveDialog institutionId={institutionId} member={task.member} onClose={close} />
      )}
    </>
  );
}

const SHOWN = 2;

function Assigned({ member }: { member: Member }) {
  const { productIds, releaseIds } = member;
  const first = productIds.slice(0, SHOWN);
  const firstReleases = releaseIds.slice(0, SHOWN - first.length);
  const products = useProductNames(first);
  const releases = useReleaseNames(firstReleases);
  const names = [
    ...first.map((id) => products[id] ?? "…"),
    ...firstReleases.map((id) => releases[id] ?? "…"),
  ];
  const shown = names.join(", ");
  const more = productIds.length + releaseIds.length - names.length;
  return (
    <Typography variant="body2" className={styles.access}>
      {more > 0 ? plural(more, { other: `${shown} and # more` }) : shown}
    </Typography>
  );
}

/** Summary of what a member has access to. */
function MemberAccess({ member }: { member: Member }) {
  if (member.role !== "Member") return <Muted>{t`Everything`}</Muted>;
  if (member.productIds.length + member.releaseIds.length === 0)
    return <StatusChip status="Nothing" label={t`Nothing assigned`} tone="wait" />;
  return <Assigned member={member} />;
}

interface MemberActionsProps {
  member: Member;
  can: Can;
  onChange: () => void;
  onRemove: () => void;
}

/** Actions on a member: only Owners change Owners, and every member may leave. */
function MemberActions({ member, can, onChange, onRemove }: MemberActionsProps) {
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

type Assignment = Pick<Member, "role" | "productIds" | "releaseIds">;

const draftOf = ({ role, productIds, releaseIds }: Member): Assignment => ({
  role,
  productIds,
  releaseIds,
});

const bodyOf = (draft: Assignment) => (draft.role === "Member" ? draft : { role: draft.role });

interface MemberDialogProps {
  institutionId: string;
  can: Can;
  member: Member;
  onClose: () => void;
}

/** Changes the role and the assignments of a member. */
function MemberDialog({ institutionId, can, member, onClose }: MemberDialogProps) {
  const { profile } = useInstitution();
  const name = member.fullName;
  const form = useApiForm({
    values: draftOf(member),
    send: (draft) =>
      api.PUT("/api/institutions/{institutionId}/members/{userId}", {
        ...at({ institutionId, userId: member.userId }),
        body: bodyOf(draft),
      }),
    done: (draft) => t`${name} is now ${{ role: ROLE_LABELS[draft.role] }}.`,
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

interface RemoveDialogProps {
  institutionId: string;
  member: Member;
  onClose: () => void;
}

/** Removes a member, or lets the signed-in user leave. */
function RemoveDialog({ institutionId, member, onClose }: RemoveDialogProps) {
  const { profile } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = member.fullName;
  const leaves = profile?.id === member.userId;
  const remove = async () => {
    await api.DELETE(
      "/api/institutions/{institutionId}/members/{userId}",
      at({ institutionId, userId: member.userId }),
    );
    if (!leaves) {
      notifyChanged(t`${name} removed from the institution.`);
      return;
    }
    await navigate("/institutions");
    notify(t`You have left the institution.`, { type: "success" });
    // Do not refetch the institution's own queries: they would be rejected now.
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
  };
  return (
    <ConfirmDialog
      title={leaves ? t`Leave institution` : t`Remove ${name}`}
      action={leaves ? t`Leave` : t`Remove`}
      danger
      consequence={
        leaves
          ? t`You lose access immediately, and the API keys you created here are revoked permanently. Your account and your other institutions are not affected. To return, you need a new invitation.`
          : t`${{ email: member.email }} loses access immediately. The API keys they created here are revoked permanently, so programs that use them stop working. Their account and their other institutions are not affected.`
      }
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
