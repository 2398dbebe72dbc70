import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import type { License } from "../../../api/types";
import { EmptyState } from "../../../ui/EmptyState";
import { date } from "../../../ui/formats";
import { RelativeTime } from "../../../ui/RelativeTime";
import { StatusChip } from "../../../ui/StatusChip";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import styles from "../detail.module.css";
import { NamedDevice } from "../HardwareId";
import {
  availableActions,
  type Device,
  type DeviceAction,
  DeviceDialog,
  fileEndOf,
  nameOf,
  tell,
} from "./deviceActions";

export function DeviceTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <Table<Device>
      label={t`Devices`}
      none={
        <EmptyState title={t`No devices with this status`}>{t`Choose another status.`}</EmptyState>
      }
      columns={[
        {
          key: "deviceName",
          label: t`Device`,
          sort: "deviceName",
          cell: (device: Device) => (
            <>
              <NamedDevice device={device} />
              <Typography
                variant="body2"
                color="textSecondary"
                component="div"
                className={styles.untilMd}
              >
                <Trans>
                  Last seen <RelativeTime at={device.lastSeenAt} />
                </Trans>
              </Typography>
            </>
          ),
        },
        {
          key: "os",
          label: t`Operating system`,
          from: "md",
          cell: (device: Device) => (
            <>
              {device.os ?? "—"}
              <Typography variant="body2" color="textSecondary">
                {device.appVersion && t`Version ${{ version: device.appVersion }}`}
              </Typography>
            </>
          ),
        },
        {
          key: "status",
          label: t`Status`,
          cell: (device: Device) => (
            <>
              <StatusChip status={device.status} />
              <FileNote device={device} />
              {device.reclaimable && (
                <Typography variant="body2" color="textSecondary">
                  {t`Idle: a new device may take its seat`}
                </Typography>
              )}
            </>
          ),
        },
        {
          key: "createdAt",
          label: t`First seen`,
          sort: "createdAt",
          from: "md",
          cell: (device: Device) => date(device.createdAt),
        },
        {
          key: "lastSeenAt",
          label: t`Last seen`,
          sort: "lastSeenAt",
          from: "md",
          cell: (device: Device) => <RelativeTime at={device.lastSeenAt} />,
        },
        manage && {
          key: "Actions",
          label: t`Actions`,
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
  const day = date(end);
  return (
    <Typography variant="body2" color="textSecondary">
      {device.seatFreeAt === null ? t`File ends ${day}` : t`Seat free ${day}`}
    </Typography>
  );
}

/** Menu of actions on a device. */
function DeviceMenu({ device, license }: { device: Device; license: License }) {
  const [open, setOpen] = useState<DeviceAction | null>(null);
  return (
    <>
      <RowMenu
        name={nameOf(device)}
        acts={availableActions(device).map((action) => ({
          label: tell(action, device, license).label,
          act: () => setOpen(action),
        }))}
      />
      {open && (
        <DeviceDialog
          action={open}
          device={device}
          license={license}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
