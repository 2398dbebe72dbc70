import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { DataTable } from "react-admin";
import type { License } from "../api/types";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { date, number } from "../ui/formats";
import { MODEL_LABELS } from "../ui/labels";
import { StatusChip } from "../ui/StatusChip";
import type { Customer } from "./customer";

const Column = DataTable.Col<License>;
const WIDE = { display: { xs: "none", md: "table-cell" } };

/** The licenses of the customer. */
export const CustomerLicenses = ({ customer }: { customer: Customer }) => (
  <DataList<License>
    resource="licenses"
    filter={{ customerId: customer.id }}
    storeKey={false}
    sort={{ field: "createdAt", order: "DESC" }}
    empty={false}
  >
    <DataTable<License>
      bulkActionButtons={false}
      rowClick={(id) => `/licenses/${String(id)}`}
      empty={
        <EmptyState title="No licenses">
          Licenses that are issued to {customer.email} appear here.
        </EmptyState>
      }
    >
      <Column
        source="licenseName"
        label="License"
        render={({ licenseName, productName }) => (
          <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
            <Typography dir="auto" sx={{ fontWeight: 600 }}>
              {licenseName}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {productName}
            </Typography>
          </Box>
        )}
      />
      <Column source="type" label="Model" render={({ type }) => MODEL_LABELS[type]} />
      <Column
        source="status"
        label="Status"
        disableSort
        render={({ status }) => <StatusChip status={status} />}
      />
      <Column
        source="meterBalance"
        label="Balance"
        disableSort
        align="right"
        sx={WIDE}
        render={({ meterBalance }) => (meterBalance === null ? "—" : number(meterBalance))}
      />
      <Column
        source="expirationDate"
        label="Expires"
        sx={WIDE}
        render={({ expirationDate }) => (expirationDate ? date(expirationDate) : "Never")}
      />
    </DataTable>
  </DataList>
);
