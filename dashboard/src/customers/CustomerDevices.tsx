import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import type { Schemas } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { DataList } from "../ui/list/DataList";
import { RelativeTime } from "../ui/RelativeTime";
import { StatusChip } from "../ui/StatusChip";
import { Table } from "../ui/table/Table";
import { TwoLines } from "../ui/table/TwoLines";
import type { Customer } from "./customer";

type Device = Schemas["Activation"];

/** The devices of all licenses of the customer. */
export const CustomerDevices = ({ customer }: { customer: Customer }) => (
  <DataList path={`customers/${customer.id}/activations`} sort="-createdAt">
    <Table<Device>
      label="Devices"
      none={<EmptyState title="No devices">Machines that use a license appear here.</EmptyState>}
      columns={[
        {
          key: "deviceName",
          label: "Device",
          cell: ({ deviceName, os, licenseId }) => (
            <TwoLines second={os}>
              <Link component={RouterLink} to={`/licenses/${licenseId}/activations`}>
                {deviceName ?? "Unnamed device"}
              </Link>
            </TwoLines>
          ),
        },
        { key: "status", label: "Status", cell: ({ status }) => <StatusChip status={status} /> },
        {
          key: "lastSeenAt",
          label: "Last seen",
          from: "md",
          cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
        },
      ]}
    />
  </DataList>
);
