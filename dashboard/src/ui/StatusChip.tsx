import { statusWords, toneOf, type Tone } from "./status";
import styles from "./statusChip.module.css";

interface StatusChipProps {
  /** The value of the status; its words come from the table in `status.ts`. */
  status: string;
  /** Other words than those of the table. */
  label?: string;
  /** Only where the word alone does not say it. */
  tone?: Tone;
}

/** A status as a colored chip; the color only repeats what the text says. */
export const StatusChip = ({
  status,
  label = statusWords(status),
  tone = toneOf(status),
}: StatusChipProps) => (
  <span className={styles.chip} data-tone={tone}>
    {label}
  </span>
);
