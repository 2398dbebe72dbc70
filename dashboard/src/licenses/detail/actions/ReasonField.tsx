import TextField from "@mui/material/TextField";

interface ReasonFieldProps {
  value: string;
  onChange: (reason: string) => void;
  required?: boolean;
  helperText?: string;
}

export const ReasonField = ({ value, onChange, required, helperText }: ReasonFieldProps) => (
  <TextField
    label="Reason"
    value={value}
    required={required}
    fullWidth
    multiline
    helperText={helperText ?? "Optional. Your team reads it in the audit log."}
    slotProps={{ htmlInput: { maxLength: 500 } }}
    onChange={(event) => {
      onChange(event.target.value);
    }}
  />
);
