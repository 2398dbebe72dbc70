import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DataTable, SearchInput, SelectInput } from "react-admin";
import { DataList } from "../../ui/DataList";
import { date } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import type { TabProps } from "../parts/TabProps";
import { ROLES } from "../parts/roles";
import type { Member } from "./member";
import { MemberActions } from "./MemberActions";
import { MemberDialog } from "./MemberDialog";
import { RemoveDialog } from "./RemoveDialog";
import { MemberAccess } from "./MemberAccess";

const FILTERS = [
  <SearchInput key="search" source="search" placeholder="Name or email" alwaysOn />,
  <SelectInput
    key="role"
    source="role"
    label="Role"
    alwaysOn
    emptyText="All roles"
    choices={ROLES.map((role) => ({ id: role, name: role }))}
  />,
];
const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };
const Column = DataTable.Col<Member>;

const Person = ({ member }: { member: Member }) => (
  <Stack sx={{ minWidth: 0 }}>
    <Typography variant="body2" dir="auto" sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
      {member.fullName}
    </Typography>
    <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
      {member.email}
    </Typography>
    {member.role === "Member" && (
      <Box sx={NARROW}>
        <MemberAccess member={member} />
      </Box>
    )}
  </Stack>
);

interface Task {
  kind: "change" | "remove";
  member: Member;
}

/** The members of the institution with their roles and assignments. */
export function MembersTab({ institutionId, can }: TabProps) {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => {
    setTask(null);
  };
  return (
    <>
      <DataList<Member>
        resource={`institutions/${institutionId}/members`}
        filters={FILTERS}
        sort={{ field: "fullName", order: "ASC" }}
        empty={false}
      >
        <DataTable<Member>
          bulkActionButtons={false}
          rowClick={false}
          empty={<Typography sx={{ p: 3 }}>No members match your search.</Typography>}
        >
          <Column
            source="fullName"
            label="Name"
            sx={{ minWidth: 140 }}
            render={(member) => <Person member={member} />}
          />
          <Column
            source="role"
            label="Role"
            disableSort
            render={(member) => (
              <StatusChip
                status={member.role}
                tone={member.role === "Owner" ? "info" : "default"}
              />
            )}
          />
          <Column
            source="totpEnabled"
            label="Second factor"
            disableSort
            sx={WIDE}
            render={(member) => (
              <StatusChip
                status={member.totpEnabled ? "On" : "Off"}
                tone={member.totpEnabled ? "success" : "warning"}
              />
            )}
          />
          <Column
            source="productIds"
            label="Access"
            disableSort
            sx={WIDE}
            render={(member) => <MemberAccess member={member} />}
          />
          <Column
            source="joinedAt"
            label="Joined"
            sx={{ ...WIDE, whiteSpace: "nowrap" }}
            render={(member) => date(member.joinedAt)}
          />
          <Column
            label="Actions"
            disableSort
            align="right"
            render={(member) => (
              <MemberActions
                member={member}
                can={can}
                onChange={() => {
                  setTask({ kind: "change", member });
                }}
                onRemove={() => {
                  setTask({ kind: "remove", member });
                }}
              />
            )}
          />
        </DataTable>
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
