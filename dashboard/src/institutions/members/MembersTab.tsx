import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Folded } from "../../ui/table/Folded";
import { Table } from "../../ui/table/Table";
import { ChoiceFilter } from "../../ui/list/ChoiceFilter";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { DataList } from "../../ui/list/DataList";
import { date } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { StatusChip } from "../../ui/StatusChip";
import type { TabProps } from "../parts/TabProps";
import { ROLES } from "../parts/roles";
import type { Member } from "./member";
import { MemberActions } from "./MemberActions";
import { MemberDialog } from "./MemberDialog";
import { RemoveDialog } from "./RemoveDialog";
import { MemberAccess } from "./MemberAccess";
import styles from "./members.module.css";

const Person = ({ member }: { member: Member }) => (
  <Column className={styles.person}>
    <Typography variant="subtitle2" component="p" dir="auto">
      {member.fullName}
    </Typography>
    <Typography variant="caption" color="textSecondary">
      {member.email}
    </Typography>
    {member.role === "Member" && (
      <Folded until="md">
        <MemberAccess member={member} />
      </Folded>
    )}
  </Column>
);

interface Task {
  kind: "change" | "remove";
  member: Member;
}

/** The members of the institution with their roles and assignments. */
export function MembersTab({ institutionId, can }: TabProps) {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <>
      <DataList
        path={`institutions/${institutionId}/members`}
        toolbar={
          <>
            <SearchFilter placeholder={t`Name or email`} />
            <ChoiceFilter name="role" label={t`Role`} all={t`All roles`} choices={ROLES} />
          </>
        }
        filterNames={["search", "role"]}
        sort="fullName"
      >
        <Table<Member>
          label={t`Members`}
          none={t`No members match your search.`}
          columns={[
            {
              key: "fullName",
              label: t`Name`,
              sort: "fullName",
              cell: (member) => <Person member={member} />,
            },
            {
              key: "role",
              label: t`Role`,
              cell: (member) => (
                <StatusChip status={member.role} tone={member.role === "Owner" ? "news" : "over"} />
              ),
            },
            {
              key: "totpEnabled",
              label: t`Second factor`,
              from: "md",
              cell: (member) => <StatusChip status={member.totpEnabled ? "On" : "Off"} />,
            },
            {
              key: "productIds",
              label: t`Access`,
              from: "md",
              cell: (member) => <MemberAccess member={member} />,
            },
            {
              key: "joinedAt",
              label: t`Joined`,
              sort: "joinedAt",
              from: "md",
              fits: true,
              cell: (member) => date(member.joinedAt),
            },
            {
              key: "Actions",
              label: t`Actions`,
              isUnlabeled: true,
              align: "end",
              cell: (member) => (
                <MemberActions
                  member={member}
                  can={can}
                  onChange={() => setTask({ kind: "change", member })}
                  onRemove={() => setTask({ kind: "remove", member })}
                />
              ),
            },
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
