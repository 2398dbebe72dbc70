import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";

const USUAL = ["Stable", "Beta", "Alpha", "RC"];

/** The channel of a release: a common one or a custom name. */
export function ChannelField<Values extends FieldValues, Name extends Path<Values>>(
  field: FieldProps<Values, Name>,
) {
  const { value, set, leave, ref, message } = useField(field);
  return (
    <Autocomplete
      freeSolo
      options={USUAL}
      inputValue={String(value)}
      filterOptions={(options) => options}
      onInputChange={(_, channel) => set(channel)}
      onBlur={leave}
      fullWidth
      renderInput={(props) => (
        <TextField
          {...props}
          label={t`Channel`}
          required
          inputRef={ref}
          error={message !== undefined}
          helperText={
            message ?? t`Applications check for updates in one channel, by default Stable.`
          }
        />
      )}
    />
  );
}
