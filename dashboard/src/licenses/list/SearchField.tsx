import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useEffect, useState } from "react";

type SearchFieldProps = Omit<TextFieldProps, "value" | "onChange"> & {
  value: string;
  onSearch: (text: string) => void;
};

const PAUSE_MS = 350;

/** A search field that searches once the user stops typing. */
export function SearchField({ value, onSearch, ...props }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Keep what the user has typed since the last search.
    if (value !== sent) setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setSent(text);
      onSearch(text);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
    // `onSearch` changes on every render; only the text matters.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  return (
    <TextField
      {...props}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
      }}
    />
  );
}
