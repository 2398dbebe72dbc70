import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { License } from "../../../api/types";
import { date } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";
import { RelativeTime } from "../../../ui/RelativeTime";
import { StatusChip } from "../../../ui/StatusChip";
import { actionsColumn } from "../../../ui/table/cells";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import styles from "../detail.module.css";
import { NamedDevice } from "../HardwareId";
import { type Device, fileEndOf, nameOf, useDeviceActions } from "./deviceActions";

export function DeviceTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const actions = useDeviceActions(license);
  return (
    <>
      <Table<Device>
        label={t`Devices`}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            sort: true,
            cell: (device: Device) => (
              <>
                <NamedDevice device={device} />
                <Muted component="div" className={styles.untilMd}>
                  <Trans>
                    Last seen <RelativeTime at={device.lastSeenAt} />
                  </Trans>
                </Muted>
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
                <Muted>{device.appVersion && t`Version ${{ version: device.appVersion }}`}</Muted>
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
                  <Muted>
                    {t`Idle since ${{ day: date(device.lastSeenAt) }}: a new device may take its seat`}
                  </Muted>
                )}
              </>
            ),
          },
          { key: "createdAt", label: t`First seen`, sort: true, from: "md", as: "date" },
          { key: "lastSeenAt", label: t`Last seen`, sort: true, from: "md", as: "ago" },
          manage &&
            actionsColumn((device: Device) => (
              <RowMenu name={nameOf(device)} acts={actions.of(device)} />
            )),
        ]}
      />
      {actions.dialog}
    </>
  );
}

/** Until when the license file of the device keeps its seat taken. */
function FileNote({ device }: { device: Device }) {
  const end = fileEndOf(device);
  if (end === null) return null;
  const day = date(end);
  return <Muted>{device.seatFreeAt === null ? t`File ends ${day}` : t`Seat free ${day}`}</Muted>;
}
