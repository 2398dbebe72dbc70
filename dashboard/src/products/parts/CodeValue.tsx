import { CopyButton } from "../../ui/CopyButton";
import { Row } from "../../ui/layout/layout";
import styles from "./parts.module.css";

/** An inline monospace value with a copy button. */
export const CodeValue = ({ value, label }: { value: string; label: string }) => (
  <Row gap="xs">
    <code className={styles.code}>{value}</code>
    <CopyButton value={value} label={label} />
  </Row>
);
