import type { License } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import type { Device } from "./device";
import { perform, tell, type DeviceAction } from "./deviceActions";

interface DeviceDialogProps {
  action: DeviceAction;
  device: Device;
  license: License;
  onClose: () => void;
}

export function DeviceDialog({ action, device, license, onClose }: DeviceDialogProps) {
  const notifyChanged = useNotifyChanged();
  const { title, consequence, done, danger } = tell(action, device, license);
  return (
    <ConfirmDialog
      title={title}
      action={title}
      consequence={consequence}
      danger={danger}
      onClose={onClose}
      onConfirm={async () => {
        await perform(action, device);
        notifyChanged(done);
      }}
    />
  );
}
