import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import { useController, type FieldValues, type Path } from "react-hook-form";
import { type Distance, dayFrom, dayOf, endOfDay, faultOfPastDay } from "./days";
import { DateField } from "./dates/DateField";
import type { FieldProps } from "./form/useApiForm";
import { date } from "./formats";
import { Column, Row } from "./layout/layout";
import { lengthText } from "./quantities";

type TermFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & {
  /** What presets count from, and what is typed, such as "+1m"; null for today. */
  from: string | null;
  /** How long the term usually is, which is a preset, too. */
  usual?: Distance | undefined;
  required: boolean;
};

const CHOICES = [
  [1, t`+1 month`],
  [3, t`+3 months`],
  [12, t`+1 year`],
  [24, t`+2 years`],
] as const;

/** The presets of a term: each a day and its words, without two of one day. */
function presetsOf(from: string | null, usual: Distance | undefined) {
  const presets = CHOICES.map(([months, label]) => ({ day: dayFrom(from, { months }), label }));
  if (!usual) return presets;
  const day = dayFrom(from, usual);
  const length = lengthText(usual.days ?? null, usual.months ?? null);
  const isOwn = length !== null && presets.every((preset) => preset.day !== day);
  return isOwn ? [{ day, label: `+${length}` }, ...presets] : presets;
}

/** An expiration date, typed or chosen from presets: a day, or empty for none. */
export function TermField<Values extends FieldValues, Name extends Path<Values>>(
  props: TermFieldProps<Values, Name>,
) {
  const { from, usual, required, ...field } = props;
  const { value, onChange } = useController({ name: field.name, control: field.control }).field;
  const end = endOfDay(String(value));
  const presets = presetsOf(from, usual);
  if (!required) presets.push({ day: "", label: t`No expiration` });
  return (
    <Column gap="m">
      <DateField
        {...field}
        label={t`Expiration date`}
        required={required}
        from={from}
        fault={faultOfPastDay}
        range={{ min: dayOf(new Date()) }}
        helperText={
          end
            ? t`Expires at the end of ${{ day: date(end) }}, in the time zone of the institution.`
            : value === "" && t`Does not expire.`
        }
      />
      <Row gap="s" wraps role="group" aria-label={t`Presets`}>
        {presets.map(({ day, label }) => (
          <Chip
            key={label}
            label={label}
            variant={day === value ? "filled" : "outlined"}
            color={day === value ? "primary" : "default"}
            aria-pressed={day === value}
            onClick={() => onChange(day)}
          />
        ))}
      </Row>
    </Column>
  );
}
