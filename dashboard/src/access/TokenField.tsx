import TextField from "@mui/material/TextField";

/** Takes the code of a letter by hand, where the page was not opened by the letter's link. */
export const TokenField = ({ name }: { name: string }) => (
  <TextField
    name={name}
    label="Code from the letter"
    helperText="It stands below the link in the letter. Opening the link fills it in."
    autoComplete="off"
    required
    autoFocus
    fullWidth
    slotProps={{ htmlInput: { spellCheck: false } }}
  />
);
