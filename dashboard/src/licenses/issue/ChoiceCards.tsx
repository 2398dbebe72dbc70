import FormControl from "@mui/material/FormControl";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import styles from "./choiceCards.module.css";
import type { Draft } from "./issueDraft";

type ChoiceName = "policyId" | "type" | "activationMode" | "deviceBindingMode";

export interface CardChoice<T extends string> {
  value: T;
  label: string;
  text: string;
}

type ChoiceCardsProps<Name extends ChoiceName> = FieldProps<Draft, Name> & {
  label: string;
  choices: readonly CardChoice<NonNullable<Draft[Name]>>[];
  /** What else happens when somebody chooses. */
  onValue?: (chosen: string) => void;
  /** How wide the cards are at least. */
  size?: "small" | "large";
  required?: boolean;
  /** Whether the first card takes the focus. */
  autoFocus?: boolean;
};

/** A radio group of cards, each with an explanation. */
export function ChoiceCards<Name extends ChoiceName>(props: ChoiceCardsProps<Name>) {
  const {
    label,
    choices,
    onValue,
    size = "large",
    required = false,
    autoFocus = false,
    ...rest
  } = props;
  const { value, set, message } = useField(rest);
  const id = useId();
  const isWrong = message !== undefined;
  return (
    <FormControl error={isWrong} fullWidth className={styles.choice}>
      <FormLabel id={id} required={required}>
        {label}
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        aria-required={required || undefined}
        value={value ?? ""}
        onChange={(_, chosen) => {
          set(chosen);
          onValue?.(chosen);
        }}
        className={styles.cards}
        data-size={size}
      >
        {choices.map((choice, place) => (
          <label
            key={choice.value}
            className={styles.card}
            data-chosen={choice.value === value ? "true" : undefined}
          >
            <Radio
              value={choice.value}
              autoFocus={autoFocus && place === 0}
              className={styles.radio}
              slotProps={{
                input: {
                  "aria-label": choice.label,
                  "aria-describedby": `${id}-${choice.value}`,
                  ...(isWrong && { "aria-invalid": true }),
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
      {isWrong && <FormHelperText>{message}</FormHelperText>}
    </FormControl>
  );
}
