import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { CopyButton } from "./CopyButton";
import styles from "./copyField.module.css";
import { inSentence } from "./labels";
import { Row } from "./layout/layout";

interface CopyFieldProps {
  label: string;
  value: string;
  /** Text to display instead of the value, such as a masked one. */
  shown?: string;
  /** Multiple lines, such as a PEM key or a code snippet. */
  block?: boolean;
}

/** A labeled value in monospace with a copy button. */
export const CopyField = ({ label, value, shown = value, block = false }: CopyFieldProps) => (
  <div className={styles.field}>
    <Typography variant="caption" color="textSecondary" component="p">
      {label}
    </Typography>
    <Row gap="xs" {...(block && { align: "start" })}>
      {block ? (
        <pre className={styles.block} tabIndex={0} aria-label={label} role="region">
          {shown}
        </pre>
      ) : (
        <code className={styles.value}>{shown}</code>
      )}
      <CopyButton value={value} label={t`Copy ${{ what: inSentence(label) }}`} />
    </Row>
  </div>
);
