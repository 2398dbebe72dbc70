import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { Table } from "../../../ui/table/Table";
import type { License } from "../../../api/types";
import { date } from "../../../ui/formats";
import { StatusChip } from "../../../ui/StatusChip";
import { EmptyState } from "../../../ui/EmptyState";
import { useCan } from "../../../ui/useInstitution";
import { RelativeTime } from "../../../ui/RelativeTime";
import { HardwareId } from "../HardwareId";
import { fileEndOf, nameOf, type Device } from "./device";
import { DeviceMenu } from "./DeviceMenu";

const NARROW = { display: { xs: "block", md: "none" } };

export function DeviceTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <Table<Device>
      label="Devices"
      none={<EmptyState title="No devices with this status">Choose another status.</EmptyState>}
      columns={[
        {
          key: "deviceName",
          label: "Device",
          sort: "deviceName",
          cell: (device: Device) => (
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
                {nameOf(device)}
              </Typography>
              <HardwareId id={device.hardwareId} label={`hardware ID of ${nameOf(device)}`} />
              <Typography variant="body2" color="textSecondary" component="div" sx={NARROW}>
                Last seen <RelativeTime at={device.lastSeenAt} />
              </Typography>
            </Box>
          ),
        },
        {
          key: "os",
          label: "Operating system",
          from: "md",
          cell: (device: Device) => (
            <>
              {device.os ?? "—"}
              <Typography variant="body2" color="textSecondary">
                {device.appVersion && `Version ${device.appVersion}`}
              </Typography>
            </>
          ),
        },
        {
          key: "status",
          label: "Status",
          cell: (device: Device) => (
            <>
              <StatusChip status={device.seatFreeAt === null ? device.status : "Released"} />
              <FileNote device={device} />
            </>
          ),
        },
        {
          key: "createdAt",
          label: "First seen",
          sort: "createdAt",
          from: "md",
          cell: (device: Device) => date(device.createdAt),
        },
        {
          key: "lastSeenAt",
          label: "Last seen",
          sort: "lastSeenAt",
          from: "md",
          cell: (device: Device) => <RelativeTime at={device.lastSeenAt} />,
        },
        manage && {
          key: "Actions",
          label: "Actions",
          isUnlabeled: true,
          align: "end",
          cell: (device: Device) => <DeviceMenu device={device} license={license} />,
        },
      ]}
    />
  );
}

/** Until when the license file of the device keeps its seat taken. */
function FileNote({ device }: { device: Device }) {
  const end = fileEndOf(device);
  if (end === null) return null;
  return (
    <Typography variant="body2" color="textSecondary">
      {device.seatFreeAt === null ? "File ends" : "Seat free"} {date(end)}
    </Typography>
  );
}
