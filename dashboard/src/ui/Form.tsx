import Button, { type ButtonProps } from "@mui/material/Button";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { createContext, useContext, type FormEvent, type ReactNode } from "react";
import { Problem } from "../api/problem";
import { ProblemAlert } from "./ProblemAlert";
import { useAttempt, type Attempt } from "./useAttempt";

const AttemptContext = createContext<Attempt>({ busy: false, error: null });

/** For a form that keeps its values itself. */
export function useFormAttempt(onSubmit: () => Promise<unknown>) {
  const { attempt, run } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The events of a dialog bubble to the form that it was opened from.
    event.stopPropagation();
    void run(onSubmit);
  };
  return { attempt, submit };
}

type FormProps = ReturnType<typeof useFormAttempt> & { children: ReactNode };

/** A form whose fields and button know of the attempt to send it. */
export const Form = ({ attempt, submit, children }: FormProps) => (
  <AttemptContext value={attempt}>
    <form onSubmit={submit}>{children}</form>
  </AttemptContext>
);

/** The refusal of the form that it stands in. */
export function FormProblem() {
  const { error } = useContext(AttemptContext);
  return error === null ? null : <ProblemAlert error={error} />;
}

/** What the server said of a field at the last attempt. */
export function useFieldMessage(name: string): string | undefined {
  const { error } = useContext(AttemptContext);
  if (!(error instanceof Problem)) return undefined;
  return error.fields.find((item) => item.field === name)?.message;
}

/** What the server said of the lines of a field that holds one thing a line. */
export function useLineMessages(name: string): string | undefined {
  const { error } = useContext(AttemptContext);
  const fields = error instanceof Problem ? error.fields : [];
  const told = fields.flatMap(({ field, message }) => {
    const [, line] = /^(?:\w+)\[(\d+)\]$/.exec(field) ?? [];
    return field.startsWith(name)
      ? [line ? `Line ${String(Number(line) + 1)} ${message}` : message]
      : [];
  });
  return told.length ? told.join(" ") : undefined;
}

export function SubmitButton(props: ButtonProps) {
  const { busy } = useContext(AttemptContext);
  return <Button type="submit" variant="contained" loading={busy} {...props} />;
}

type FormFieldProps = Omit<TextFieldProps, "name" | "onChange"> & {
  /** As the API names it, so that the server's word on it stands here. */
  name: string;
  value: string;
  onValue: (value: string) => void;
};

/** A field of text of a form. */
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
