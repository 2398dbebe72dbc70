import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useTypedFilter } from "./useTypedFilter";

type DateFilterFieldProps = Omit<TextFieldProps, "type" | "value" | "onChange"> & {
  /** A day as `YYYY-MM-DD`, from the URL; empty for none. */
  value: string;
  onChange: (day: string) => void;
  /** The earliest and the latest day to choose. */
  range?: { min: string; max: string };
};

// A browser reports the year 0002 while the user types 2027.
const isHalfTyped = (day: string) => day.startsWith("0");

/** A date filter that is stored in the URL. It filters once the user stops typing. */
export function DateFilterField({ value, onChange, range, ...props }: DateFilterFieldProps) {
  const [day, setDay] = useTypedFilter(value, (typed) => {
    if (!isHalfTyped(typed)) onChange(typed);
  });
  return (
    <TextField
      {...props}
      type="date"
      value={day}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: range }}
      onChange={(event) => setDay(event.target.value)}
    />
  );
}
