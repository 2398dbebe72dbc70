import AddIcon from "@mui/icons-material/Add";
import PeopleIcon from "@mui/icons-material/PeopleOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DataTable, SearchInput } from "react-admin";
import { useNavigate } from "react-router";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { date, number } from "../ui/formats";
import { Page } from "../ui/Page";
import { useCan, useInstitution } from "../ui/useInstitution";
import type { Customer } from "./customer";
import { CustomerDialog } from "./CustomerDialog";

const Column = DataTable.Col<Customer>;
const WIDE = { display: { xs: "none", md: "table-cell" } };
const filters = [
  <SearchInput
    key="search"
    source="search"
    alwaysOn
    placeholder="Search by name, email, company or reference"
  />,
];

/** The people and companies that licenses are issued to. */
export default function CustomersPage() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const isShown = can.role !== "Member" || can.isSystemAdmin;
  return (
    <Page
      title="Customers"
      help="customers"
      subtitle="The people and companies that hold your licenses. Issuing a license to an address creates its customer."
      actions={
        can.manage &&
        institutionId && (
          <Button
            variant="contained"
            startIcon={<AddIcon />}
            onClick={() => {
              setAdding(true);
            }}
          >
            Add customer
          </Button>
        )
      }
    >
      {institutionId && isShown && (
        <DataList<Customer>
          resource="customers"
          filter={{ institutionId }}
          filters={filters}
          sort={{ field: "createdAt", order: "DESC" }}
          empty={false}
        >
          <DataTable<Customer>
            bulkActionButtons={false}
            rowClick={(id) => `/customers/${String(id)}`}
            empty={<NoCustomers />}
          >
            <Column source="name" label="Name" render={NameCell} />
            <Column
              source="company"
              label="Company"
              disableSort
              sx={WIDE}
              render={({ company }) => <span dir="auto">{company ?? "—"}</span>}
            />
            <Column
              source="externalReference"
              label="Reference"
              disableSort
              sx={WIDE}
              render={({ externalReference }) => externalReference ?? "—"}
            />
            <Column
              source="licenseCount"
              label="Licenses"
              disableSort
              align="right"
              render={({ licenseCount }) => number(licenseCount)}
            />
            <Column
              source="createdAt"
              label="Created"
              sx={WIDE}
              render={({ createdAt }) => date(createdAt)}
            />
          </DataTable>
        </DataList>
      )}
      {institutionId === null || !isShown ? (
        <EmptyState icon={<PeopleIcon />} title="You cannot see customers">
          Owners, Admins and Viewers of an institution can.
        </EmptyState>
      ) : null}
      {adding && institutionId && (
        <CustomerDialog
          institutionId={institutionId}
          onClose={() => {
            setAdding(false);
          }}
          onSaved={({ id }) => {
            void navigate(`/customers/${id}`);
          }}
        />
      )}
    </Page>
  );
}

const NoCustomers = () => (
  <EmptyState icon={<PeopleIcon />} title="No customers found">
    Issue a license to an email address, or add a customer.
  </EmptyState>
);

const NameCell = ({ name, email }: Customer) => (
  <Box sx={{ minWidth: 0, maxWidth: 360, overflowWrap: "anywhere" }}>
    <Typography component="span" dir="auto" sx={{ fontWeight: 600 }}>
      {name}
    </Typography>
    {name !== email && (
      <Typography variant="body2" color="textSecondary">
        {email}
      </Typography>
    )}
  </Box>
);
