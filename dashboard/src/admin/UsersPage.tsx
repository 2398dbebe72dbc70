import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { PeopleIcon } from "../ui/icons";
import { Table } from "../ui/table/Table";
import { TwoLines } from "../ui/table/TwoLines";
import { SearchFilter } from "../ui/list/SearchFilter";
import type { Schemas } from "../api/types";
import { DataList } from "../ui/list/DataList";
import { EmptyState } from "../ui/EmptyState";
import { date } from "../ui/formats";
import { Row } from "../ui/layout/layout";
import { ROLE_LABELS } from "../ui/labels";
import { Page } from "../ui/Page";
import { StatusChip } from "../ui/StatusChip";
import styles from "./admin.module.css";
import { UserActions, type Asked } from "./UserActions";
import {
  DisableDialog,
  EnableDialog,
  EndSessionsDialog,
  RemoveSecondFactorDialog,
  VerifyEmailDialog,
} from "./UserDialogs";

/** An account as system Admins see it. */
export type Account = Schemas["Account"];

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
            { key: "fullName", label: t`Name`, sort: "fullName", cell: UserCell },
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
            {
              key: "createdAt",
              label: t`Created`,
              sort: "createdAt",
              from: "sm",
              fits: true,
              cell: ({ createdAt }) => date(createdAt),
            },
            {
              key: "Actions",
              label: t`Actions`,
              isUnlabeled: true,
              align: "end",
              cell: (account) => <UserActions account={account} onAsk={setAsked} />,
            },
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
