import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";

interface LanguageFieldProps {
  locales: string[];
  value: string;
  disabled: boolean;
  onValue: (locale: string) => void;
}

/** Chooses one of the languages of a text, or begins a new one by its tag. */
export const LanguageField = ({ locales, value, disabled, onValue }: LanguageFieldProps) => (
  <Autocomplete
    freeSolo
    disableClearable
    disabled={disabled}
    // It says why the field is disabled.
    sx={{ "& .MuiFormHelperText-root.Mui-disabled": { color: "text.secondary" } }}
    options={locales}
    value={value}
    onChange={(_, chosen) => {
      onValue(chosen.trim());
    }}
    renderInput={(props) => (
      <TextField
        {...props}
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
