import { useState } from "react";
import type { License } from "../../../api/types";
import { RowMenu } from "../../../ui/table/RowMenu";
import { nameOf, type Device } from "./device";
import { availableActions, tell, type DeviceAction } from "./deviceActions";
import { DeviceDialog } from "./DeviceDialog";

/** Menu of actions on a device. */
export function DeviceMenu({ device, license }: { device: Device; license: License }) {
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
