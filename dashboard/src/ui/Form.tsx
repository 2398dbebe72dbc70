import Button, { type ButtonProps } from "@mui/material/Button";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { createContext, useContext, type FormEvent, type ReactNode } from "react";
import { Problem } from "../api/problem";
import { ProblemAlert } from "./ProblemAlert";
import { useSubmission, type Attempt } from "./useSubmission";

const SubmissionContext = createContext<Attempt>({ busy: false, error: null });

/** Submission state for a form that holds its own values. */
export function useFormSubmission(onSubmit: () => Promise<unknown>) {
  const { attempt, run } = useSubmission();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Events of a dialog bubble to the form it was opened from.
    event.stopPropagation();
    void run(onSubmit);
  };
  return { attempt, submit };
}

type FormProps = ReturnType<typeof useFormSubmission> & {
  onInput?: (event: FormEvent) => void;
  children: ReactNode;
};

/** A form that provides its submission state to its fields and button. */
export const Form = ({ attempt, submit, onInput, children }: FormProps) => (
  <SubmissionContext value={attempt}>
    <form onSubmit={submit} onInput={onInput}>
      {children}
    </form>
  </SubmissionContext>
);

/** The error of the surrounding form. */
export function FormProblem() {
  const { error } = useContext(SubmissionContext);
  return error === null ? null : <ProblemAlert error={error} />;
}

/** The server's error message for a field, from the last submission. */
export function useFieldMessage(name: string): string | undefined {
  const { error } = useContext(SubmissionContext);
  if (!(error instanceof Problem)) return undefined;
  return error.fields.find((item) => item.field === name)?.message;
}

/** The server's error messages for the lines of a multi-line field. */
export function useLineMessages(name: string): string | undefined {
  const { error } = useContext(SubmissionContext);
  const fields = error instanceof Problem ? error.fields : [];
  const messages = fields.flatMap(({ field, message }) => {
    const [, line] = /^(?:\w+)\[(\d+)\]$/.exec(field) ?? [];
    return field.startsWith(name)
      ? [line ? `Line ${String(Number(line) + 1)} ${message}` : message]
      : [];
  });
  return messages.length ? messages.join(" ") : undefined;
}

export function SubmitButton(props: ButtonProps) {
  const { busy } = useContext(SubmissionContext);
  return <Button type="submit" variant="contained" loading={busy} {...props} />;
}

type FormFieldProps = Omit<TextFieldProps, "name" | "onChange"> & {
  /** The API's name of the field, to match the server's error messages. */
  name: string;
  value: string;
  onValue: (value: string) => void;
};

/** A text field that shows the server's error message for it. */
export function FormField({ name, onValue, helperText, error, ...props }: FormFieldProps) {
  const message = useFieldMessage(name);
  return (
    <TextField
      name={name}
      fullWidth
      autoComplete="off"
      error={error === true || message !== undefined}
      helperText={message ?? helperText}
      onChange={(event) => {
        onValue(event.target.value);
      }}
      {...props}
    />
  );
}
