import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { DataTable } from "react-admin";
import { Link as RouterLink } from "react-router";
import type { Schemas } from "../api/types";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { RelativeTime } from "../ui/RelativeTime";
import { StatusChip } from "../ui/StatusChip";
import type { Customer } from "./customer";

type Device = Schemas["Activation"];

const Column = DataTable.Col<Device>;
const WIDE = { display: { xs: "none", md: "table-cell" } };

/** The devices of all licenses of the customer. */
export const CustomerDevices = ({ customer }: { customer: Customer }) => (
  <DataList<Device>
    resource={`customers/${customer.id}/activations`}
    storeKey={false}
    sort={{ field: "createdAt", order: "DESC" }}
    empty={false}
  >
    <DataTable<Device>
      bulkActionButtons={false}
      rowClick={false}
      empty={<EmptyState title="No devices">Machines that use a license appear here.</EmptyState>}
    >
      <Column
        source="deviceName"
        label="Device"
        disableSort
        render={({ deviceName, os, licenseId }) => (
          <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
            <Typography sx={{ fontWeight: 600 }}>{deviceName ?? "Unnamed device"}</Typography>
            <Typography variant="body2" color="textSecondary">
              {os && `${os} · `}
              <Link component={RouterLink} to={`/licenses/${licenseId}/activations`}>
                License
              </Link>
            </Typography>
          </Box>
        )}
      />
      <Column
        source="status"
        label="Status"
        disableSort
        render={({ status }) => <StatusChip status={status} />}
      />
      <Column
        source="lastSeenAt"
        label="Last seen"
        disableSort
        sx={WIDE}
        render={({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />}
      />
    </DataTable>
  </DataList>
);
