import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useLocalValue } from "./useLocalValue";

type DateFilterFieldProps = Omit<TextFieldProps, "type" | "value" | "onChange"> & {
  /** A day as `YYYY-MM-DD`, from the URL; empty for none. */
  value: string;
  onChange: (day: string) => void;
  /** The earliest and the latest day to choose. */
  range?: { min: string; max: string };
};

/** A date filter that is stored in the URL. */
export function DateFilterField({ value, onChange, range, ...props }: DateFilterFieldProps) {
  const [day, setDay] = useLocalValue(value);
  return (
    <TextField
      {...props}
      type="date"
      value={day}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: range }}
      onChange={(event) => {
        setDay(event.target.value);
        onChange(event.target.value);
      }}
    />
  );
}
