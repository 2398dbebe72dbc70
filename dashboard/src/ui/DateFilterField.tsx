import { DateInput, WRITINGS, type DateInputProps } from "./dates/DateInput";
import { useTypedFilter } from "./useTypedFilter";

type DateFilterFieldProps = Omit<DateInputProps, "writing" | "slotProps">;

/** A date filter that is stored in the URL, as a day. It filters once the user stops typing. */
export function DateFilterField({ value, onChange, ...props }: DateFilterFieldProps) {
  const [day, setDay] = useTypedFilter(value, (typed) => {
    if (typed === "" || WRITINGS.day.isDate(typed)) onChange(typed);
  });
  return (
    <DateInput
      {...props}
      value={day}
      onChange={setDay}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
