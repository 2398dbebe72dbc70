import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { CopyButton } from "../../ui/CopyButton";
import { Row } from "../../ui/layout/layout";
import styles from "./detail.module.css";
import { nameOf } from "../../ui/devices/deviceActions";

interface HardwareIdProps {
  id: string;
  /** Accessible name of its button: "Copy bound hardware ID". */
  label?: string;
}

/** A hardware ID on one line, truncated to fit, with a button that copies all of it. */
export const HardwareId = ({ id, label = t`Copy hardware ID` }: HardwareIdProps) => (
  <Row gap="xs">
    <code title={id} className={styles.hardwareId}>
      {id}
    </code>
    <CopyButton value={id} label={label} />
  </Row>
);

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
