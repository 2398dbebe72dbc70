import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";

export const KEY_SIZES = [2048, 3072, 4096] as const;
export type KeySize = (typeof KEY_SIZES)[number];
export const USUAL_KEY_SIZE: KeySize = 3072;

interface KeySizeFieldProps {
  value: KeySize;
  onValue: (size: KeySize) => void;
}

/** Selects the RSA key size. */
export const KeySizeField = ({ value, onValue }: KeySizeFieldProps) => (
  <TextField
    select
    label={t`Key size`}
    value={value}
    fullWidth
    onChange={(event) => {
      const size = KEY_SIZES.find((item) => item === Number(event.target.value));
      if (size) onValue(size);
    }}
    helperText={t`3072 bits are considered secure beyond 2030. 2048 bits make license files slightly smaller; 4096 bits meet stricter requirements.`}
  >
    {KEY_SIZES.map((size) => (
      <MenuItem key={size} value={size}>
        {t`${{ size: String(size) }} bits`}
      </MenuItem>
    ))}
  </TextField>
);
