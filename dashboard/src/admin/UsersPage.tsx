import { plural, t } from "@lingui/core/macro";
import { api, at } from "../api/client";
import type { Schemas } from "../api/types";
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
import { useActions } from "../ui/useActions";
import { useInstitution } from "../ui/useInstitution";
import { useRefresh } from "../ui/useNotifyChanged";
import styles from "./admin.module.css";

/** An account as system Admins see it. */
type Account = Schemas["Account"];

/** All user accounts of the service. */
export default function UsersPage() {
  const actions = useUserActions();
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
              cell: ({ totpEnabled }) => <StatusChip status={totpEnabled ? "On" : "Off"} />,
            },
            { key: "memberships", label: t`Institutions`, cell: InstitutionsCell },
            { key: "createdAt", label: t`Created`, sort: true, fits: true, as: "date" },
            actionsColumn((account) => (
              <RowMenu name={account.fullName} acts={actions.of(account)} />
            )),
          ]}
        />
      </DataList>
      {actions.dialog}
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

/** What a system Admin can do for users who cannot do it themselves. */
function useUserActions() {
  const { profile } = useInstitution();
  const refresh = useRefresh();
  return useActions((account: Account) => {
    const { fullName, email, disabled } = account;
    const isOther = account.id !== profile?.id;
    const user = at({ userId: account.id });
    const doing = (work: () => Promise<unknown>, done: string) => async () => {
      await work();
      refresh();
      notify(done, { type: "info" });
    };
    return [
      {
        label: t`Mark as verified`,
        isOffered: !account.emailVerified,
        confirm: {
          title: t`Mark ${email} as verified?`,
          consequence: t`${fullName} can then see every license issued to this address and create products. Make sure the address is theirs: this cannot be undone here. The action is recorded in the audit log under your name.`,
          action: t`Mark as verified`,
          onConfirm: doing(
            () => api.POST("/api/users/{userId}/verify-email", user),
            t`Email address marked as verified.`,
          ),
        },
      },
      {
        label: t`Remove second factor`,
        isOffered: isOther && account.totpEnabled,
        confirm: {
          title: t`Remove the second factor of ${fullName}?`,
          consequence: t`Only continue if you are sure that the request comes from ${fullName}. All their sessions end, and the password alone is enough to sign in until they turn the second factor on again. ${email} is notified by email, and the action is recorded in the audit log under your name.`,
          action: t`Remove second factor`,
          typed: email,
          danger: true,
          onConfirm: doing(
            () => api.DELETE("/api/users/{userId}/totp", user),
            t`Second factor removed.`,
          ),
        },
      },
      {
        label: t`End sessions`,
        isOffered: isOther && !disabled,
        confirm: {
          title: t`End all sessions of ${fullName}?`,
          consequence: t`${fullName} is signed out everywhere and can sign in again. ${email} is notified by email, and the action is recorded in the audit log under your name.`,
          action: t`End sessions`,
          onConfirm: doing(
            () => api.DELETE("/api/users/{userId}/sessions", user),
            t`Sessions ended.`,
          ),
        },
      },
      {
        label: t`Enable account`,
        isOffered: isOther && disabled,
        confirm: {
          title: t`Enable the account of ${fullName}?`,
          consequence: t`${fullName} can sign in again, and API keys that they created work again. ${email} is notified by email, and the action is recorded in the audit log under your name.`,
          action: t`Enable account`,
          onConfirm: doing(
            () => api.PUT("/api/users/{userId}", { ...user, body: { disabled: false } }),
            t`Account enabled.`,
          ),
        },
      },
      {
        label: t`Disable account`,
        isOffered: isOther && !disabled,
        confirm: {
          title: t`Disable the account of ${fullName}?`,
          consequence: t`${fullName} is signed out everywhere and cannot sign in, and API keys that they created do not work, until you enable the account again. ${email} is notified by email, and the action is recorded in the audit log under your name.`,
          action: t`Disable account`,
          danger: true,
          onConfirm: doing(
            () => api.PUT("/api/users/{userId}", { ...user, body: { disabled: true } }),
            t`Account disabled.`,
          ),
        },
      },
    ];
  });
}
