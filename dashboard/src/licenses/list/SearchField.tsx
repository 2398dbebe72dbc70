import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useTypedFilter } from "../../ui/useTypedFilter";

type SearchFieldProps = Omit<TextFieldProps, "value" | "onChange"> & {
  value: string;
  onSearch: (text: string) => void;
};

/** A search field that searches once the user stops typing. */
export function SearchField({ value, onSearch, ...props }: SearchFieldProps) {
  const [text, setText] = useTypedFilter(value, onSearch);
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
