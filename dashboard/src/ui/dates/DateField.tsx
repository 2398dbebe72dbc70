import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { DateInput, WRITINGS, type DateInputProps } from "./DateInput";
import { dayAfter } from "../days";
import { fieldLabel } from "../fields";
import { date } from "../formats";
import { isEmpty } from "../form/check";
import type { FieldProps } from "../form/useApiForm";
import { useField } from "../form/useField";

type Replaced = "name" | "value" | "onChange" | "onBlur" | "error" | "inputRef";

type DateFieldProps<Values extends FieldValues, Name extends Path<Values>> = Omit<
  DateInputProps,
  Replaced
> &
  FieldProps<Values, Name> & {
    /** What else can be wrong with a date, in a sentence that says what to do. */
    fault?: (day: string) => string | undefined;
  };

/** That a distance can be typed, and what it counts from. */
const distanceText = (from: string | null): string =>
  from === null
    ? t`You can type +1m or +30d, counted from today.`
    : t`You can type +1m or +30d, counted from ${{ end: date(from) }}, the present end.`;

/**
 * A date of a form, with the label of the field's name unless it has its own. With `from`, what
 * helps says what a distance counts from.
 */
export function DateField<Values extends FieldValues, Name extends Path<Values>>(
  props: DateFieldProps<Values, Name>,
) {
  const { name, control, check, rule, fault, helperText, ...shown } = props;
  const { from } = shown;
  const { isDate, write } = WRITINGS[shown.writing ?? "day"];
  const inAYear = dayAfter({ months: 12 });
  const example = write(shown.writing === "moment" ? `${inAYear}T12:00` : inAYear);
  const required = shown.required ?? check?.required ?? false;
  const faultOfText = (text: string) =>
    isDate(text) ? fault?.(text) : t`Enter a date, such as ${example} or +30 days.`;
  const field = useField(
    { name, control, check, rule },
    {
      check: { required },
      fault: (value) => (isEmpty(value) ? undefined : faultOfText(String(value))),
    },
  );
  return (
    <DateInput
      fullWidth
      label={fieldLabel(name)}
      {...shown}
      name={name}
      required={required}
      value={String(field.value)}
      onChange={field.set}
      onBlur={field.leave}
      inputRef={field.ref}
      error={field.message !== undefined}
      helperText={
        field.message ??
        (from === undefined ? (
          helperText
        ) : (
          <>
            {helperText} {distanceText(from)}
          </>
        ))
      }
    />
  );
}
