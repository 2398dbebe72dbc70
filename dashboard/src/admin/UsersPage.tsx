import PeopleIcon from "@mui/icons-material/PeopleOutlined";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DataTable, SearchInput } from "react-admin";
import type { Schemas } from "../api/types";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { date } from "../ui/formats";
import { Page } from "../ui/Page";
import { StatusChip } from "../ui/StatusChip";
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

const HIDDEN_ON_PHONES = { display: { xs: "none", sm: "table-cell" } };
const filters = [
  <SearchInput key="search" source="search" alwaysOn placeholder="Search by name or email" />,
];

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
  const close = () => {
    setAsked(undefined);
  };
  const Dialog = asked && DIALOGS[asked.action];
  return (
    <Page
      title="Users"
      subtitle="Everyone who has an account on this service, including portal customers."
      help="sign-in-and-security"
    >
      <DataList<Account>
        resource="users"
        filters={filters}
        sort={{ field: "createdAt", order: "DESC" }}
        empty={false}
      >
        <DataTable<Account> bulkActionButtons={false} rowClick={false} empty={<NoUsers />}>
          <DataTable.Col<Account> source="fullName" label="Name" render={UserCell} />
          <DataTable.Col<Account>
            label="Email address"
            source="emailVerified"
            disableSort
            render={({ emailVerified }) => (
              <StatusChip status={emailVerified ? "Verified" : "Not verified"} />
            )}
          />
          <DataTable.Col<Account>
            label="Second factor"
            source="totpEnabled"
            disableSort
            sx={HIDDEN_ON_PHONES}
            render={({ totpEnabled }) => <StatusChip status={totpEnabled ? "On" : "Off"} />}
          />
          <DataTable.Col<Account>
            label="Institutions"
            source="memberships"
            disableSort
            sx={HIDDEN_ON_PHONES}
            render={InstitutionsCell}
          />
          <DataTable.Col<Account>
            label="Created"
            source="createdAt"
            sx={HIDDEN_ON_PHONES}
            render={({ createdAt }) => (
              <Box component="span" sx={{ whiteSpace: "nowrap" }}>
                {date(createdAt)}
              </Box>
            )}
          />
          <DataTable.Col<Account>
            label="Actions"
            source="id"
            disableSort
            render={(account) => <UserActions account={account} onAsk={setAsked} />}
          />
        </DataTable>
      </DataList>
      {Dialog && asked && <Dialog account={asked.account} onClose={close} />}
    </Page>
  );
}

const NoUsers = () => (
  <EmptyState icon={<PeopleIcon />} title="No users found">
    Search by the beginning of a name or an email address.
  </EmptyState>
);

const UserCell = ({ fullName, email, isSystemAdmin, disabled }: Account) => (
  <Box sx={{ minWidth: { xs: 120, sm: 180 }, maxWidth: 320, overflowWrap: "anywhere" }}>
    <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap", alignItems: "center" }}>
      <Typography component="span" sx={{ fontWeight: 600 }}>
        {fullName}
      </Typography>
      {isSystemAdmin && <StatusChip status="System Admin" tone="info" />}
      {disabled && <StatusChip status="Disabled" />}
    </Stack>
    <Typography variant="body2" color="textSecondary">
      {email}
    </Typography>
  </Box>
);

const SHOWN = 3;

const InstitutionsCell = ({ memberships }: Account) => (
  <Box sx={{ minWidth: 150, maxWidth: 280, overflowWrap: "anywhere" }}>
    {memberships.slice(0, SHOWN).map((held) => (
      <div key={held.institutionId}>
        {held.institutionName} · {held.role}
      </div>
    ))}
    {memberships.length > SHOWN && `and ${String(memberships.length - SHOWN)} more`}
    {memberships.length === 0 && "—"}
  </Box>
);
