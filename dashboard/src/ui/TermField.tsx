import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import Chip from "@mui/material/Chip";
import { addMonths, dayOf, endOfDay } from "./days";
import { FormField } from "./Form";
import { dateTime } from "./formats";

interface TermFieldProps {
  /** The current expiration date, which the presets count from. */
  from: string | null;
  /** A day, `YYYY-MM-DD`; empty for no expiration date. */
  day: string;
  onChange: (day: string) => void;
  required: boolean;
}

const CHOICES = [
  [1, t`+1 month`],
  [3, t`+3 months`],
  [12, t`+1 year`],
  [24, t`+2 years`],
] as const;

/** An expiration date, typed or chosen from presets. */
export function TermField({ from, day, onChange, required }: TermFieldProps) {
  const end = endOfDay(day);
  return (
    <Stack sx={{ gap: 1.25 }}>
      <Stack direction="row" role="group" aria-label={t`Presets`} sx={{ gap: 1, flexWrap: "wrap" }}>
        {CHOICES.map(([months, label]) => {
          const choice = addMonths(from, months);
          return (
            <Chip
              key={months}
              label={label}
              variant={choice === day ? "filled" : "outlined"}
              color={choice === day ? "primary" : "default"}
              aria-pressed={choice === day}
              onClick={() => {
                onChange(choice);
              }}
            />
          );
        })}
        {!required && (
          <Chip
            label={t`No expiration`}
            variant={day === "" ? "filled" : "outlined"}
            color={day === "" ? "primary" : "default"}
            aria-pressed={day === ""}
            onClick={() => {
              onChange("");
            }}
          />
        )}
      </Stack>
      <FormField
        name="expirationDate"
        type="date"
        label={t`Expiration date`}
        value={day}
        required={required}
        helperText={
          end ? t`Expires on ${{ moment: dateTime(end) }}, your time.` : t`Does not expire.`
        }
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: dayOf(new Date()) } }}
        onValue={onChange}
      />
    </Stack>
  );
}
