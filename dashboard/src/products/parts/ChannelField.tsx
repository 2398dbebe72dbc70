import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useFieldMessage } from "../../ui/Form";

const USUAL = ["Stable", "Beta", "Alpha", "RC"];

interface ChannelFieldProps {
  /** As the API names it. */
  name: string;
  value: string;
  onValue: (channel: string) => void;
}

/** The channel of a release: one of the usual ones, or a name of the vendor's own. */
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
          label="Channel"
          required
          error={message !== undefined}
          helperText={
            message ??
            "Applications ask for updates of one channel; they ask for Stable by default."
          }
        />
      )}
    />
  );
}
