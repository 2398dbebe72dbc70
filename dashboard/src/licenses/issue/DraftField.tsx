import TextField, { type TextFieldProps } from "@mui/material/TextField";
import type { Draft } from "./issueDraft";
import type { IssueForm } from "./useIssueForm";

type TextName = {
  [Name in keyof Draft]: Draft[Name] extends string ? Name : never;
}[keyof Draft];

type DraftFieldProps = Omit<TextFieldProps, "name" | "onChange" | "onBlur" | "error" | "form"> & {
  form: IssueForm;
  name: TextName;
};

/** A text field of the draft, checked when it is left. An error replaces the helper text. */
export function DraftField({ form, name, helperText, ...props }: DraftFieldProps) {
  const error = form.errors[name];
  return (
    <TextField
      fullWidth
      autoComplete="off"
      value={form.draft[name]}
      {...props}
      name={name}
      error={error !== undefined}
      helperText={error ?? helperText}
      onChange={(event) => {
        form.set({ [name]: event.target.value });
      }}
      onBlur={() => {
        form.leave(name);
      }}
    />
  );
}
