import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useEffect, useState } from "react";

type SearchFieldProps = Omit<TextFieldProps, "value" | "onChange"> & {
  value: string;
  onSearch: (text: string) => void;
};

const PAUSE_MS = 350;

/** A text that is searched for once the reader stops typing. */
export function SearchField({ value, onSearch, ...props }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // What was typed since it was sent stays.
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
    // `onSearch` is new at each look; what is typed is what counts.
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
