import { t, plural } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import type { License, Schemas } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { DetailsDrawer } from "../../../ui/DetailsDrawer";
import { componentWords } from "../../../ui/devices/components";
import { DeviceStatus } from "../../../ui/devices/DeviceStatus";
import {
  type Device,
  fileEndOf,
  nameOf,
  useDeviceActions,
} from "../../../ui/devices/deviceActions";
import { date, dateTime } from "../../../ui/formats";
import { useListContext } from "../../../ui/list/useList";
import { Muted } from "../../../ui/Muted";
import { actionsColumn } from "../../../ui/table/cells";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import { useUrlParams } from "../../../ui/useUrlParams";
import { NamedDevice } from "../HardwareId";

/** The devices of the surrounding list; `?device=…&act=…` opens the dialog of an action on one. */
export function DeviceTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const actions = useDeviceActions(license.type);
  const { selection, items } = useListContext<Device>();
  const { params, change } = useUrlParams();
  const act = params.get("act");
  const asked = act === null ? undefined : items?.find(({ id }) => id === params.get("device"));
  useEffect(() => {
    if (!asked || act === null) return;
    actions.ask(asked, act);
    change({ act: null, device: null }, true);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- both functions are new at every render
  }, [asked, act]);
  return (
    <>
      <Table<Device>
        {...(selection && { selection })}
        label={t`Devices`}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            sort: true,
            cell: (device: Device) => (
              <>
                <NamedDevice device={device} />
                <KeyNote device={device} />
                <ComponentsNote device={device} />
              </>
            ),
          },
          {
            key: "os",
            label: t`Operating system`,
            short: "plain",
            cell: (device: Device) => (
              <>
                {device.os}
                <Muted>{device.appVersion && t`Version ${{ version: device.appVersion }}`}</Muted>
              </>
            ),
          },
          {
            key: "status",
            label: t`Status`,
            short: "beside",
            cell: (device: Device) => (
              <>
                <DeviceStatus device={device} />
                <FileNote device={device} />
                {device.reclaimable && <Muted>{idleWords(device)}</Muted>}
              </>
            ),
          },
          { key: "createdAt", label: t`First seen`, sort: true, as: "date" },
          { key: "lastSeenAt", label: t`Last seen`, sort: true, as: "ago" },
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

const idleWords = ({ lastSeenAt }: Device): string =>
  t`Idle since ${{ day: date(lastSeenAt) }}: a new device may take its seat`;

const LEVELS: Record<Schemas["KeyLevel"], string> = {
  Hardware: t`Key in hardware`,
  OS: t`Key kept by the system`,
  Software: t`Key in a file`,
};

/** Where the device keeps its key, the beginning of its thumbprint, and since when it is known. */
function KeyNote({ device: { deviceKey } }: { device: Device }) {
  if (deviceKey === null) return null;
  const thumbprint = deviceKey.jkt.slice(0, 8);
  return (
    <Muted>
      {t`${{ level: LEVELS[deviceKey.level] }}, ${thumbprint}…, since ${{ day: date(deviceKey.since) }}`}
    </Muted>
  );
}

/** Until when the license file of the device keeps its seat taken. */
function FileNote({ device }: { device: Device }) {
  const end = fileEndOf(device);
  if (end === null) return null;
  const day = date(end);
  return <Muted>{device.seatFreeAt === null ? t`File ends ${day}` : t`Seat free ${day}`}</Muted>;
}

/** By how many components a device is recognized; opens them, and what of them has changed. */
function ComponentsNote({ device }: { device: Device }) {
  const [isOpen, setOpen] = useState(false);
  const [latest] = device.drifts;
  if (device.components.length === 0) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {latest
          ? t`Changed on ${{ day: date(latest.at) }}`
          : plural(device.components.length, { one: "# component", other: "# components" })}
      </Button>
      {isOpen && <Components device={device} onClose={() => setOpen(false)} />}
    </>
  );
}

function Components({ device, onClose }: { device: Device; onClose: () => void }) {
  return (
    <DetailsDrawer title={nameOf(device)} onClose={onClose}>
      <Muted>{t`By these components the device is recognized when its hardware ID changes. Only their hashes are known.`}</Muted>
      <DescriptionList
        facts={device.components.map(({ name, changedAt }) => [
          componentWords(name),
          changedAt === null ? t`As at the beginning` : t`Changed ${{ time: dateTime(changedAt) }}`,
        ])}
      />
      {device.drifts.length > 0 && (
        <>
          <Typography variant="subtitle2" component="h3">{t`Changes`}</Typography>
          <DescriptionList
            facts={device.drifts.map(({ at, names }) => [
              dateTime(at),
              names.map(componentWords).join(", "),
            ])}
          />
        </>
      )}
    </DetailsDrawer>
  );
}
