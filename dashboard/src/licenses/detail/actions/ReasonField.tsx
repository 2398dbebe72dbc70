import { t } from "@lingui/core/macro";
import { FormField } from "../../../ui/Form";

interface ReasonFieldProps {
  value: string;
  onChange: (reason: string) => void;
  required?: boolean;
  helperText?: string;
}

export const ReasonField = ({ value, onChange, required, helperText }: ReasonFieldProps) => (
  <FormField
    name="reason"
    label={t`Reason`}
    value={value}
    onValue={onChange}
    required={required}
    multiline
    helperText={helperText ?? t`Optional. Recorded in the audit log.`}
    slotProps={{ htmlInput: { maxLength: 500 } }}
  />
);
