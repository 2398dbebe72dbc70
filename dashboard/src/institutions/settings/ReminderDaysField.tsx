import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { faultOf } from "../../ui/form/check";
import { number } from "../../ui/formats";
import { daysText } from "../../ui/quantities";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";

const USUAL = ["90", "60", "30", "14", "7", "3", "1"];
const LONGEST = 3_650;
const DAY = { minimum: 1, maximum: LONGEST, isWhole: true };
const MOST = 10;

const isDay = (text: string) => faultOf(text, DAY) === undefined;

/** As the server keeps them: each once, the longest time ahead first; what is no number comes last. */
const ordered = (days: readonly string[]): string[] =>
  [...new Set(days.map((day) => (isDay(day) ? String(Number(day)) : day)))].sort(
    (a, b) => Number(isDay(b)) - Number(isDay(a)) || Number(b) - Number(a),
  );

const partsOf = (typed: string) => typed.split(/[,;\s]+/).filter(Boolean);

const labelOf = (day: string) => (isDay(day) ? daysText(Number(day)) : day);

function faultOfDays(days: readonly string[]): string | undefined {
  const wrong = days.find((day) => !isDay(day));
  if (wrong !== undefined)
    return t`“${wrong}” is not a number of days from 1 to ${{ most: number(LONGEST) }}.`;
  return days.length > MOST ? t`Choose at most ${{ most: number(MOST) }} reminders.` : undefined;
}

/** The days of a draft as they are sent. */
export const REMINDER_DAYS = {
  read: (days: number[] = []) => ordered(days.map(String)),
  send: (days: string[]) => days.map(Number),
};

/** Chooses how many days before its end a license is reminded of, each a chip; others are typed. */
export function ReminderDaysField<Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
) {
  const [typed, setTyped] = useState("");
  const { value, set, message, ref } = useField(props, {
    fault: (days) => faultOfDays(days as string[]),
  });
  const days = value as string[];
  const take = (chosen: readonly string[]) => set(ordered(chosen.flatMap(partsOf)));
  return (
    <Autocomplete
      multiple
      freeSolo
      disableClearable
      filterSelectedOptions
      forcePopupIcon
      fullWidth
      options={USUAL}
      getOptionLabel={labelOf}
      value={days}
      inputValue={typed}
      onChange={(_, chosen) => take(chosen)}
      onInputChange={(_, text) => {
        const [, whole, rest = ""] = /^(.*[,;\s])([^,;\s]*)$/.exec(text) ?? [];
        if (whole !== undefined) take([...days, whole]);
        setTyped(whole === undefined ? text : rest);
      }}
      onBlur={() => {
        if (typed) take([...days, typed]);
        setTyped("");
      }}
      renderInput={(params) => (
        <TextField
          {...params}
          name={props.name}
          label={t`Expiry reminders`}
          inputRef={ref}
          error={message !== undefined}
          helperText={
            message ??
            t`Before a license expires. Type a number of days and press Enter; without any, nobody is reminded.`
          }
        />
      )}
    />
  );
}
