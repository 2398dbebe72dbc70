import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useFieldMessage } from "../../ui/Form";

const USUAL = ["Stable", "Beta", "Alpha", "RC"];

interface ChannelFieldProps {
  /** The API's name of the field. */
  name: string;
  value: string;
  onValue: (channel: string) => void;
}

/** The channel of a release: a common one or a custom name. */
export function ChannelField({ name, value, onValue }: ChannelFieldProps) {
  const message = useFieldMessage(name);
  return (
    <Autocomplete
      freeSolo
      options={USUAL}
      inputValue={value}
      filterOptions={(options) => options}
      onInputChange={(_, channel) => {
        onValue(channel);
      }}
      fullWidth
      renderInput={(props) => (
        <TextField
          {...props}
          label={t`Channel`}
          required
          error={message !== undefined}
          helperText={
            message ?? t`Applications check for updates in one channel, by default Stable.`
          }
        />
      )}
    />
  );
}
