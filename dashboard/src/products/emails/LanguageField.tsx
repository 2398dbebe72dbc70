import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";

interface LanguageFieldProps {
  locales: string[];
  value: string;
  disabled: boolean;
  onValue: (locale: string) => void;
}

/** What a tag cannot have in it: somebody typed pt.BR for pt-BR. */
const FOREIGN = /[^\w-]+/g;

/** Chooses one of the languages of a text, or begins a new one by its tag. */
export const LanguageField = ({ locales, value, disabled, onValue }: LanguageFieldProps) => (
  <Autocomplete
    freeSolo
    disableClearable
    disabled={disabled}
    options={locales}
    value={value}
    onChange={(_, chosen) => {
      const tag = chosen.trim().replace(FOREIGN, "-");
      if (tag) onValue(tag);
    }}
    renderInput={(props) => (
      <TextField
        {...props}
        // It says why the field is disabled, so it stays readable.
        slotProps={{ ...props.slotProps, formHelperText: { disabled: false } }}
        label={t`Language`}
        helperText={
          disabled
            ? t`Save the text before you change the language.`
            : t`Choose one, or enter a new language tag, such as de or pt-BR, and press Enter.`
        }
      />
    )}
  />
);
