import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import { KeySizeField, USUAL_KEY_SIZE, type KeySize } from "../parts/KeySizeField";

interface KeysChoiceProps {
  /** Null to generate no keys yet. */
  keySize: KeySize | null;
  onChange: (keySize: KeySize | null) => void;
}

/** Whether to generate RSA keys with the product. */
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
      label={t`Generate RSA keys now`}
    />
    {keySize === null ? (
      <Alert severity="info">
        {t`You cannot issue licenses until the product has RSA keys. You can generate them later on the product page.`}
      </Alert>
    ) : (
      <KeySizeField value={keySize} onValue={onChange} />
    )}
  </Stack>
);
