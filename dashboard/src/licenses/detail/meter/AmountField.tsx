import TextField from "@mui/material/TextField";
import type { License } from "../../../api/types";
import { unitOf } from "../facts";
import { stepOf } from "./amounts";

interface AmountFieldProps {
  license: License;
  label: string;
  value: string;
  onChange: (amount: string) => void;
  min?: number;
  error?: string | undefined;
  helperText: string;
  required?: boolean;
}

export const AmountField = (props: AmountFieldProps) => (
  <TextField
    type="number"
    label={`${props.label} (${unitOf(props.license)})`}
    value={props.value}
    required={props.required ?? true}
    fullWidth
    error={props.error !== undefined}
    helperText={props.error ?? props.helperText}
    slotProps={{
      htmlInput: { step: stepOf(props.license), min: props.min, inputMode: "decimal" },
      formHelperText: { "aria-live": "polite" },
    }}
    onChange={(event) => {
      props.onChange(event.target.value);
    }}
  />
);
