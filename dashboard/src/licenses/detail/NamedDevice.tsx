import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { nameOf } from "./devices/device";
import styles from "./detail.module.css";
import { HardwareId } from "./HardwareId";

interface NamedDeviceProps {
  device: { deviceName: string | null; hardwareId: string };
}

/** The name of a device above its hardware ID, in a table. */
export function NamedDevice({ device }: NamedDeviceProps) {
  const name = nameOf(device);
  return (
    <>
      <Typography variant="subtitle2" component="p" className={styles.inCell}>
        {name}
      </Typography>
      <HardwareId id={device.hardwareId} label={t`Copy hardware ID of ${{ device: name }}`} />
    </>
  );
}
