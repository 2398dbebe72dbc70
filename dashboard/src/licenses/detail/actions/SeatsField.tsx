import { t } from "@lingui/core/macro";
import { FormField } from "../../../ui/Form";

interface SeatsFieldProps {
  value: string;
  onChange: (seats: string) => void;
  helperText?: string;
}

export const SeatsField = ({ value, onChange, helperText }: SeatsFieldProps) => (
  <FormField
    name="maxActiveUsersCount"
    type="number"
    label={t`Max active users`}
    value={value}
    onValue={onChange}
    required
    helperText={helperText}
    slotProps={{ htmlInput: { min: 1, max: 1_000_000, step: 1, inputMode: "numeric" } }}
  />
);
