import { t } from "@lingui/core/macro";
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
      label={t`Devices`}
      none={
        <EmptyState title={t`No devices`}>{t`Machines that use a license appear here.`}</EmptyState>
      }
      columns={[
        {
          key: "deviceName",
          label: t`Device`,
          cell: ({ deviceName, os, licenseId }) => (
            <TwoLines second={os}>
              <Link component={RouterLink} to={`/licenses/${licenseId}/activations`}>
                {deviceName ?? t`Unnamed device`}
              </Link>
            </TwoLines>
          ),
        },
        { key: "status", label: t`Status`, cell: ({ status }) => <StatusChip status={status} /> },
        {
          key: "lastSeenAt",
          label: t`Last seen`,
          from: "md",
          cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
        },
      ]}
    />
  </DataList>
);
