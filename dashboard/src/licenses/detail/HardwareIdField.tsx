import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { License } from "../../api/types";
import { useDevices } from "./devices/queries";
import styles from "./detail.module.css";

interface HardwareIdFieldProps {
  license: License;
  value: string;
  onChange: (hardwareId: string) => void;
  helperText?: string;
}

/** A hardware ID, typed, or selected from the devices of the license by those who see them. */
export function HardwareIdField({ license, value, onChange, helperText }: HardwareIdFieldProps) {
  const names = new Map(useDevices(license)?.map((item) => [item.hardwareId, item.deviceName]));
  return (
    <Autocomplete
      freeSolo
      fullWidth
      options={[...names.keys()]}
      inputValue={value}
      onInputChange={(_, text) => onChange(text)}
      renderOption={({ key, ...props }, hardwareId) => (
        <li key={key} {...props}>
          <span>
            {names.get(hardwareId) ?? t`Unnamed device`}
            <Typography
              variant="caption"
              component="code"
              color="textSecondary"
              className={styles.known}
            >
              {hardwareId}
            </Typography>
          </span>
        </li>
      )}
      renderInput={(props) => (
        <TextField {...props} label={t`Hardware ID`} helperText={helperText} autoComplete="off" />
      )}
    />
  );
}
