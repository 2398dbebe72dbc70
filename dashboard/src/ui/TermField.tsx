import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import { useController, type FieldValues, type Path } from "react-hook-form";
import { addMonths, dayOf, endOfDay, faultOfPastDay } from "./days";
import { DateField } from "./dates/DateField";
import type { FieldProps } from "./form/useApiForm";
import { date } from "./formats";
import { Column, Row } from "./layout/layout";

type TermFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & {
  /** What the presets count from; null for today. */
  from: string | null;
  required: boolean;
};

const CHOICES = [
  [1, t`+1 month`],
  [3, t`+3 months`],
  [12, t`+1 year`],
  [24, t`+2 years`],
] as const;

/** An expiration date, typed or chosen from presets: a day, or empty for none. */
export function TermField<Values extends FieldValues, Name extends Path<Values>>(
  props: TermFieldProps<Values, Name>,
) {
  const { from, required, ...field } = props;
  const { value, onChange } = useController({ name: field.name, control: field.control }).field;
  const end = endOfDay(String(value));
  const presets = CHOICES.map(([months, label]) => ({ day: addMonths(from, months), label }));
  if (!required) presets.push({ day: "", label: t`No expiration` });
  return (
    <Column gap="m">
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
      <DateField
        {...field}
        label={t`Expiration date`}
        required={required}
        fault={faultOfPastDay}
        range={{ min: dayOf(new Date()) }}
        helperText={
          end
            ? t`Expires at the end of ${{ day: date(end) }}, in the time zone of the institution.`
            : t`Does not expire.`
        }
      />
    </Column>
  );
}
