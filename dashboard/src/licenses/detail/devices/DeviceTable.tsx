import Box from "@mui/material/Box";
import { visuallyHidden } from "@mui/utils";
import Typography from "@mui/material/Typography";
import { DataTable } from "react-admin";
import type { License } from "../../../api/types";
import { date } from "../../../ui/formats";
import { StatusChip } from "../../../ui/StatusChip";
import { EmptyState } from "../../../ui/EmptyState";
import { useCan } from "../../../ui/useInstitution";
import { RelativeTime } from "../../../ui/RelativeTime";
import { HardwareId } from "../HardwareId";
import { fileEndOf, nameOf, type Device } from "./device";
import { DeviceMenu } from "./DeviceMenu";

const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };

export function DeviceTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <DataTable<Device>
      bulkActionButtons={false}
      rowClick={false}
      empty={<EmptyState title="No devices with this status">Choose another status.</EmptyState>}
    >
      <DataTable.Col
        source="deviceName"
        label="Device"
        render={(device: Device) => (
          <Box sx={{ minWidth: 0 }}>
            <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
              {nameOf(device)}
            </Typography>
            <HardwareId id={device.hardwareId} label={`hardware ID of ${nameOf(device)}`} />
            <Typography variant="body2" color="textSecondary" component="div" sx={NARROW}>
              Last seen <RelativeTime at={device.lastSeenAt} />
            </Typography>
          </Box>
        )}
      />
      <DataTable.Col
        source="os"
        label="Operating system"
        disableSort
        sx={WIDE}
        render={(device: Device) => (
          <>
            {device.os ?? "—"}
            <Typography variant="body2" color="textSecondary">
              {device.appVersion && `Version ${device.appVersion}`}
            </Typography>
          </>
        )}
      />
      <DataTable.Col
        source="status"
        label="Status"
        disableSort
        render={(device: Device) => (
          <>
            <StatusChip status={device.seatFreeAt === null ? device.status : "Released"} />
            <FileNote device={device} />
          </>
        )}
      />
      <DataTable.Col
        source="createdAt"
        label="First seen"
        sx={WIDE}
        render={(device: Device) => date(device.createdAt)}
      />
      <DataTable.Col
        source="lastSeenAt"
        label="Last seen"
        sx={WIDE}
        render={(device: Device) => <RelativeTime at={device.lastSeenAt} />}
      />
      {manage && (
        <DataTable.Col
          label={<Box sx={visuallyHidden}>Actions</Box>}
          align="right"
          disableSort
          render={(device: Device) => <DeviceMenu device={device} license={license} />}
        />
      )}
    </DataTable>
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
