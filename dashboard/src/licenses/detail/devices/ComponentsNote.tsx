import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DescriptionList } from "../../../ui/DescriptionList";
import { DetailsDrawer } from "../../../ui/DetailsDrawer";
import { componentWords } from "../../../ui/devices/components";
import { type Device, nameOf } from "../../../ui/devices/deviceActions";
import { date, dateTime } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";

/** By how many components a device is recognized; opens them, and what of them has changed. */
export function ComponentsNote({ device }: { device: Device }) {
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
