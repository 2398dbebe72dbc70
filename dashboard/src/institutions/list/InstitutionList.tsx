import ApartmentIcon from "@mui/icons-material/ApartmentOutlined";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { DataTable, SearchInput } from "react-admin";
import { Link as RouterLink } from "react-router";
import type { Institution } from "../../api/types";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { useCan } from "../../ui/useInstitution";
import { SwitchInstitution } from "./SwitchInstitution";

const FILTERS = [
  <SearchInput key="search" source="search" placeholder="Search by name" alwaysOn />,
];
const WIDE = { display: { xs: "none", sm: "table-cell" } };
const Column = DataTable.Col<Institution>;

function RoleIn({ institution }: { institution: Institution }) {
  const { role } = useCan(institution.id);
  return role ?? <Typography color="textSecondary">System Admin</Typography>;
}

export const InstitutionList = ({ add }: { add: ReactNode }) => (
  <DataList<Institution>
    resource="institutions"
    filters={FILTERS}
    sort={{ field: "name", order: "ASC" }}
    empty={
      <EmptyState
        icon={<ApartmentIcon color="disabled" fontSize="large" />}
        title="You have no institution yet"
        action={add}
      >
        An institution holds the products, licenses and members of a vendor. Ask a member to invite
        you{add ? ", or create your own" : ""}.
      </EmptyState>
    }
  >
    <DataTable<Institution>
      bulkActionButtons={false}
      rowClick={false}
      empty={<Typography sx={{ p: 3 }}>No institutions match your search.</Typography>}
    >
      <Column
        source="name"
        label="Name"
        sx={{ minWidth: 120, overflowWrap: "anywhere" }}
        render={(institution) => (
          <Link
            component={RouterLink}
            to={`/institutions/${institution.id}`}
            underline="hover"
            dir="auto"
            sx={{ fontWeight: 600 }}
          >
            {institution.name}
          </Link>
        )}
      />
      <Column
        source="role"
        label="Your role"
        disableSort
        sx={WIDE}
        render={(institution) => <RoleIn institution={institution} />}
      />
      <Column
        source="plan"
        label="Plan"
        disableSort
        sx={WIDE}
        render={(institution) => <StatusChip status={institution.plan} />}
      />
      <Column
        source="createdAt"
        label="Created"
        sx={{ ...WIDE, whiteSpace: "nowrap" }}
        render={(institution) => date(institution.createdAt)}
      />
      <Column
        label="Actions"
        disableSort
        align="right"
        render={(institution) => <SwitchInstitution institution={institution} />}
      />
    </DataTable>
  </DataList>
);
