import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import type { KeyboardEvent, Ref } from "react";
import { CloseIcon, SearchIcon } from "../ui/icons";
import styles from "./help.module.css";

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  inputRef: Ref<HTMLInputElement>;
  autoFocus: boolean;
}

export const SearchField = ({
  value,
  onChange,
  onKeyDown,
  inputRef,
  autoFocus,
}: SearchFieldProps) => (
  <TextField
    label={t`Search the Help center`}
    placeholder={t`A question, an error code or a button label`}
    type="search"
    size="medium"
    fullWidth
    value={value}
    inputRef={inputRef}
    autoFocus={autoFocus}
    onKeyDown={onKeyDown}
    onChange={(event) => onChange(event.target.value)}
    className={styles.field}
    slotProps={{
      htmlInput: { maxLength: 200, autoComplete: "off", spellCheck: false },
      inputLabel: { shrink: true },
      input: {
        startAdornment: (
          <InputAdornment position="start">
            <SearchIcon aria-hidden />
          </InputAdornment>
        ),
        endAdornment: value !== "" && (
          <InputAdornment position="end">
            <IconButton size="small" aria-label={t`Clear search`} onClick={() => onChange("")}>
              <CloseIcon />
            </IconButton>
          </InputAdornment>
        ),
      },
    }}
  />
);
