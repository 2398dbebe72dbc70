import Alert from "@mui/material/Alert";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import { KeySizeField, USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";

interface KeysChoiceProps {
  /** Null where no keys shall be made yet. */
  keySize: KeySize | null;
  onChange: (keySize: KeySize | null) => void;
}

/** Whether the product gets its RSA keys at once. */
export const KeysChoice = ({ keySize, onChange }: KeysChoiceProps) => (
  <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
    <FormControlLabel
      control={
        <Switch
          checked={keySize !== null}
          onChange={(_, on) => {
            onChange(on ? USUAL_KEY_SIZE : null);
          }}
        />
      }
      label="Generate RSA keys now"
    />
    {keySize === null ? (
      <Alert severity="info">
        No license can be issued before the product has keys. You can generate them later on its
        page.
      </Alert>
    ) : (
      <KeySizeField value={keySize} onValue={onChange} />
    )}
  </Stack>
);
