import TextField from "@mui/material/TextField";

interface SeatsFieldProps {
  value: string;
  onChange: (seats: string) => void;
  error?: string | undefined;
  helperText?: string;
}

export const SeatsField = ({ value, onChange, error, helperText }: SeatsFieldProps) => (
  <TextField
    type="number"
    label="Seats"
    value={value}
    required
    error={error !== undefined}
    helperText={error ?? helperText}
    slotProps={{ htmlInput: { min: 1, max: 1_000_000, step: 1, inputMode: "numeric" } }}
    onChange={(event) => {
      onChange(event.target.value);
    }}
  />
);
