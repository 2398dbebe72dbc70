import { words } from "./labels";
import { toneOf, type Tone } from "./status";
import styles from "./statusChip.module.css";

interface StatusChipProps {
  status: string;
  /** Only where the word alone does not say it. */
  tone?: Tone;
}

/** A status as a colored chip; the color only repeats what the text says. */
export const StatusChip = ({ status, tone = toneOf(status) }: StatusChipProps) => (
  <span className={styles.chip} data-tone={tone}>
    {words(status)}
  </span>
);
