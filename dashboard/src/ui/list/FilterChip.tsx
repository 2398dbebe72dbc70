import { t } from "@lingui/core/macro";
import { CloseIcon } from "../icons";
import styles from "./list.module.css";

interface FilterChipProps {
  /** What is filtered: "Customer: Ada Lovelace". */
  words: string;
  onRemove: () => void;
}

/** An active filter, which a click removes. */
export const FilterChip = ({ words, onRemove }: FilterChipProps) => (
  <button
    type="button"
    className={styles.chip}
    aria-label={t`Remove filter ${words}`}
    onClick={onRemove}
  >
    <span>{words}</span>
    <CloseIcon aria-hidden />
  </button>
);
