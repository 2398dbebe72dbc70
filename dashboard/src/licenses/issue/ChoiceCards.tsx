import FormControl from "@mui/material/FormControl";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";
import styles from "./issue.module.css";

export interface CardChoice<T extends string> {
  value: T;
  label: string;
  text: string;
}

interface ChoiceCardsProps<T extends string> {
  label: string;
  choices: readonly CardChoice<T>[];
  value: T | null;
  onChange: (value: T) => void;
  error?: string | undefined;
  /** Minimum width of a card, in pixels. */
  room?: number;
}

/** A radio group of cards, each with an explanation. */
export function ChoiceCards<T extends string>(props: ChoiceCardsProps<T>) {
  const { label, choices, value, onChange, error, room = 280 } = props;
  const id = useId();
  return (
    <FormControl error={error !== undefined} fullWidth>
      <FormLabel id={id} sx={{ mb: 0.5 }}>
        {label}
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value ?? ""}
        onChange={(_, chosen) => {
          onChange(chosen as T);
        }}
        sx={{
          display: "grid",
          gap: 1,
          gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${String(room)}px), 1fr))`,
        }}
      >
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={styles.card}
            data-chosen={choice.value === value ? "true" : undefined}
          >
            <Radio
              value={choice.value}
              sx={{ mt: "-3px" }}
              slotProps={{
                input: {
                  "aria-label": choice.label,
                  "aria-describedby": `${id}-${choice.value}`,
                  ...(error !== undefined && { "aria-invalid": true }),
                },
              }}
            />
            <div>
              <div className={styles.name}>{choice.label}</div>
              <div id={`${id}-${choice.value}`} className={styles.text}>
                {choice.text}
              </div>
            </div>
          </label>
        ))}
      </RadioGroup>
      {error !== undefined && <FormHelperText>{error}</FormHelperText>}
    </FormControl>
  );
}
