import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { type Tagged, TAG_LENGTH, useKnownTags } from "./knownTags";

interface TagInputProps {
  of: Tagged;
  institutionId: string | null;
  label: string;
  value: string;
  /** A tag was chosen, or typed and confirmed. */
  onChange?: (tag: string) => void;
  /** The text has changed. */
  onType?: (text: string) => void;
  autoFocus?: boolean;
  /** Whether the tags in use are listed as soon as it has the focus. */
  openOnFocus?: boolean;
  error?: string | undefined;
}

/** One tag, which completes those that are in use. */
export function TagInput(props: TagInputProps) {
  const {
    of,
    institutionId,
    label,
    value,
    onChange,
    onType,
    autoFocus = false,
    openOnFocus = false,
  } = props;
  const { error } = props;
  return (
    <Autocomplete<string, false, false, true>
      freeSolo
      autoSelect
      openOnFocus={openOnFocus}
      size="small"
      options={useKnownTags(of, institutionId)}
      value={value}
      onChange={(_, tag) => onChange?.(tag?.trim() ?? "")}
      {...(onType && { inputValue: value, onInputChange: (_, text) => onType(text) })}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          autoFocus={autoFocus}
          error={error !== undefined}
          helperText={error}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, maxLength: TAG_LENGTH },
          }}
        />
      )}
    />
  );
}
