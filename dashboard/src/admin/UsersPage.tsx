import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { PeopleIcon } from "../ui/icons";
import { ROLE_LABELS } from "../ui/labels";
import { Row } from "../ui/layout/layout";
import { DataList } from "../ui/list/DataList";
import { SearchFilter } from "../ui/list/SearchFilter";
import { Page } from "../ui/Page";
import { StatusChip } from "../ui/StatusChip";
import { TwoLines, actionsColumn } from "../ui/table/cells";
import { RowMenu } from "../ui/table/RowMenu";
import { Table } from "../ui/table/Table";
import { notify } from "../ui/toasts/toasts";
import { useInstitution } from "../ui/useInstitution";
import { useRefresh } from "../ui/useNotifyChanged";
import styles from "./admin.module.css";

/** An account as system Admins see it. */
type Account = Schemas["Account"];

const DIALOGS = {
  vouch: VerifyEmailDialog,
  factor: RemoveSecondFactorDialog,
  sessions: EndSessionsDialog,
  disable: DisableDialog,
  enable: EnableDialog,
};

/** All user accounts of the service. */
export default function UsersPage() {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const Dialog = asked && DIALOGS[asked.action];
  return (
    <Page
      title={t`Users`}
      subtitle={t`Everyone who has an account on this service, including portal customers.`}
      help="sign-in-and-security"
    >
      <DataList
        path="users"
        toolbar={<SearchFilter placeholder={t`Search by name or email`} />}
        filterNames={["search"]}
        sort="-createdAt"
      >
        <Table<Account>
          label={t`Users`}
          none={<NoUsers />}
          columns={[
            { key: "fullName", label: t`Name`, sort: true, cell: UserCell },
            {
              key: "emailVerified",
              label: t`Email address`,
              cell: ({ emailVerified }) => (
                <StatusChip status={emailVerified ? "Verified" : "Not verified"} />
              ),
            },
            {
              key: "totpEnabled",
              label: t`Second factor`,
              from: "sm",
              cell: ({ totpEnabled }) => <StatusChip status={totpEnabled ? "On" : "Off"} />,
            },
            { key: "memberships", label: t`Institutions`, from: "sm", cell: InstitutionsCell },
            { key: "createdAt", label: t`Created`, sort: true, from: "sm", fits: true, as: "date" },
            actionsColumn((account) => <UserActions account={account} onAsk={setAsked} />),
          ]}
        />
      </DataList>
      {Dialog && asked && <Dialog account={asked.account} onClose={close} />}
    </Page>
  );
}

const NoUsers = () => (
  <EmptyState icon={<PeopleIcon />} title={t`No users found`}>
    {t`Search by the beginning of a name or an email address.`}
  </EmptyState>
);

const UserCell = ({ fullName, email, isSystemAdmin, disabled }: Account) => (
  <TwoLines second={email}>
    <Row gap="s" wraps>
      {fullName}
      {isSystemAdmin && <StatusChip status="System Admin" tone="news" />}
      {disabled && <StatusChip status="Disabled" />}
    </Row>
  </TwoLines>
);

const SHOWN = 3;

const InstitutionsCell = ({ memberships }: Account) => (
  <div className={styles.institutions}>
    {memberships.slice(0, SHOWN).map((held) => (
      <div key={held.institutionId}>
        {held.institutionName} · {ROLE_LABELS[held.role]}
      </div>
    ))}
    {memberships.length > SHOWN &&
      plural({ count: memberships.length - SHOWN }, { one: "and # more", other: "and # more" })}
    {memberships.length === 0 && "—"}
  </div>
);

interface Asked {
  action: "vouch" | "factor" | "sessions" | "disable" | "enable";
  account: Account;
}

interface UserActionsProps {
  account: Account;
  onAsk: (asked: Asked) => void;
}

/** What a system Admin can do for users who cannot do it themselves. */
function UserActions({ account, onAsk }: UserActionsProps) {
  const { profile } = useInstitution();
  const isOther = account.id !== profile?.id;
  const offered: [action: Asked["action"], label: string, isOffered: boolean][] = [
    ["vouch", t`Mark as verified`, !account.emailVerified],
    ["factor", t`Remove second factor`, isOther && account.totpEnabled],
    ["sessions", t`End sessions`, isOther && !account.disabled],
    ["enable", t`Enable account`, isOther && account.disabled],
    ["disable", t`Disable account`, isOther && !account.disabled],
  ];
  return (
    <RowMenu
      name={account.fullName}
      acts={offered.flatMap(([action, label, isOffered]) =>
        isOffered
          ? [
              {
                label,
                act: () => onAsk({ action, account }),
              },
            ]
          : [],
      )}
    />
  );
}

interface UserDialogProps {
  account: Account;
  onClose: () => void;
}

function VerifyEmailDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={t`Mark ${email} as verified?`}
      consequence={t`${fullName} can then see every license issued to this address and create products. Make sure the address is theirs: this cannot be undone here. The action is recorded in the audit log under your name.`}
      action={t`Mark as verified`}
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.POST("/api/users/{userId}/verify-email", { params });
        refresh();
        notify(t`Email address marked as verified.`, { type: "info" });
      }}
    />
  );
}

function RemoveSecondFactorDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={t`Remove the second factor of ${fullName}?`}
      consequence={t`Only continue if you are sure that the request comes from ${fullName}. All their sessions end, and the password alone is enough to sign in until they turn the second factor on again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`Remove second factor`}
      typed={account.email}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/totp", { params });
        refresh();
        notify(t`Second factor removed.`, { type: "info" });
      }}
    />
  );
}

function EndSessionsDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  return (
    <ConfirmDialog
      title={t`End all sessions of ${fullName}?`}
      consequence={t`${fullName} is signed out everywhere and can sign in again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`End sessions`}
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/sessions", { params });
        notify(t`Sessions ended.`, { type: "info" });
      }}
    />
  );
}

function DisableDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const change = useAccountChange(account);
  return (
    <ConfirmDialog
      title={t`Disable the account of ${fullName}?`}
      consequence={t`${fullName} is signed out everywhere and cannot sign in, and API keys that they created do not work, until you enable the account again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`Disable account`}
      danger
      onClose={onClose}
      onConfirm={() => change(true, t`Account disabled.`)}
    />
  );
}

function EnableDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const change = useAccountChange(account);
  return (
    <ConfirmDialog
      title={t`Enable the account of ${fullName}?`}
      consequence={t`${fullName} can sign in again, and API keys that they created work again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`Enable account`}
      onClose={onClose}
      onConfirm={() => change(false, t`Account enabled.`)}
    />
  );
}

function useAccountChange(account: Account) {
  const refresh = useRefresh();
  return async (disabled: boolean, done: string) => {
    const params = { path: { userId: account.id } };
    await api.PUT("/api/users/{userId}", { params, body: { disabled } });
    refresh();
    notify(done, { type: "info" });
  };
}
