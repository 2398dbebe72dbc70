import { t } from "@lingui/core/macro";
import { CopyButton } from "../../ui/CopyButton";
import { Row } from "../../ui/layout/layout";
import styles from "./detail.module.css";

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
