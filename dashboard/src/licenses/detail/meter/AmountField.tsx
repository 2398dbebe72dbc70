import type { License } from "../../../api/types";
import { FormField } from "../../../ui/Form";
import { unitOf } from "../traits";
import { stepOf } from "./amounts";

interface AmountFieldProps {
  license: License;
  name: string;
  label: string;
  value: string;
  onChange: (amount: string) => void;
  min?: number;
  /** Client-side validation error. */
  error?: string | undefined;
  helperText: string;
  required?: boolean;
}

export const AmountField = (props: AmountFieldProps) => (
  <FormField
    name={props.name}
    type="number"
    label={`${props.label} (${unitOf(props.license)})`}
    value={props.value}
    onValue={props.onChange}
    required={props.required ?? true}
    error={props.error !== undefined}
    helperText={props.error ?? props.helperText}
    slotProps={{
      htmlInput: { step: stepOf(props.license), min: props.min, inputMode: "decimal" },
      formHelperText: { "aria-live": "polite" },
    }}
  />
);
