import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { InstitutionIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import { SearchFilter } from "../../ui/list/SearchFilter";
import type { Institution } from "../../api/types";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { ROLE_LABELS } from "../../ui/labels";
import { PageLink } from "../../ui/PageLink";
import { actionsColumn } from "../../ui/table/cells";
import { useCan } from "../../ui/useInstitution";
import { SwitchInstitution } from "./SwitchInstitution";

function RoleIn({ institution }: { institution: Institution }) {
  const { role } = useCan(institution.id);
  return role ? (
    ROLE_LABELS[role]
  ) : (
    <Typography color="textSecondary">{t`System Admin`}</Typography>
  );
}

export const InstitutionList = ({ add }: { add: ReactNode }) => (
  <DataList
    path="institutions"
    toolbar={<SearchFilter placeholder={t`Search by name`} />}
    filterNames={["search"]}
    sort="name"
    empty={
      <EmptyState icon={<InstitutionIcon />} title={t`You have no institution yet`} action={add}>
        {add
          ? t`An institution holds the products, licenses and members of a vendor. Ask a member to invite you, or create your own.`
          : t`An institution holds the products, licenses and members of a vendor. Ask a member to invite you.`}
      </EmptyState>
    }
  >
    <Table<Institution>
      label={t`Institutions`}
      none={t`No institutions match your search.`}
      columns={[
        {
          key: "name",
          label: t`Name`,
          sort: true,
          cell: (institution) => (
            <PageLink to={`/institutions/${institution.id}`} variant="subtitle2" dir="auto">
              {institution.name}
            </PageLink>
          ),
        },
        {
          key: "role",
          label: t`Your role`,
          cell: (institution) => <RoleIn institution={institution} />,
        },
        { key: "plan", label: t`Plan`, as: "status" },
        { key: "createdAt", label: t`Created`, sort: true, fits: true, as: "date" },
        actionsColumn((institution) => <SwitchInstitution institution={institution} />),
      ]}
    />
  </DataList>
);
