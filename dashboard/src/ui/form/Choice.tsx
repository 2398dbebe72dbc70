import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import { useId, type Ref } from "react";
import styles from "./choice.module.css";

interface ChoiceProps {
  value: string;
  label: string;
  /** What it means to choose this, in a sentence. */
  meaning: string;
  inputRef?: Ref<HTMLInputElement> | undefined;
  autoFocus?: boolean;
}

/** One of a few choices, which says what it means; it stands in a `RadioGroup`. */
export function Choice({ value, label, meaning, inputRef, autoFocus = false }: ChoiceProps) {
  const id = useId();
  return (
    <FormControlLabel
      value={value}
      className={styles.choice}
      disableTypography
      control={
        <Radio
          autoFocus={autoFocus}
          slotProps={{ input: { "aria-describedby": id, ...(inputRef && { ref: inputRef }) } }}
        />
      }
      label={
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          <span id={id} className={styles.meaning}>
            {meaning}
          </span>
        </span>
      }
    />
  );
}
