import { t } from "@lingui/core/macro";
import Button, { type ButtonProps } from "@mui/material/Button";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { createContext, useContext, useEffect, type FormEvent, type ReactNode } from "react";
import { Problem } from "../api/problem";
import { ProblemAlert } from "./ProblemAlert";
import { useFaults, type Faults } from "./useFaults";
import { useSubmission, type Attempt } from "./useSubmission";

type Submission = Attempt & Pick<Faults, "faults" | "register" | "isShown" | "forget">;

const SubmissionContext = createContext<Submission>({
  busy: false,
  error: null,
  faults: {},
  register: () => () => undefined,
  isShown: () => false,
  forget: () => undefined,
});

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

/**
 * A form that provides its submission state to its fields and button. What the browser finds wrong
 * with a field is said below it, once it is left or the form is sent.
 */
export function Form({ attempt, submit, onInput, children }: FormProps) {
  const { handlers, ...faults } = useFaults();
  return (
    <SubmissionContext value={{ ...attempt, ...faults }}>
      <form onSubmit={submit} onInput={onInput} {...handlers}>
        {children}
      </form>
    </SubmissionContext>
  );
}

/** The error of the surrounding form; what its fields show is left to them. */
export function FormProblem() {
  const { error, isShown } = useContext(SubmissionContext);
  const isTold = (field: string) => isShown(field) || isShown(field.replace(/\[\d+\]$/, "[]"));
  return error === null ? null : <ProblemAlert error={error} isTold={isTold} />;
}

/** What is wrong with a field that shows it: as the browser sees it, else the server at the last submission. */
export function useFieldMessage(name: string): string | undefined {
  const { error, faults, register } = useContext(SubmissionContext);
  useEffect(() => register(name), [register, name]);
  if (faults[name]) return faults[name];
  if (!(error instanceof Problem)) return undefined;
  return error.fields.find((item) => item.field === name)?.message;
}

/** The server's error messages for the lines of a multi-line field. */
export function useLineMessages(name: string): string | undefined {
  const { error, register } = useContext(SubmissionContext);
  useEffect(() => register(`${name}[]`), [register, name]);
  const fields = error instanceof Problem ? error.fields : [];
  const messages = fields.flatMap(({ field, message }) => {
    const [, line] = /^(?:\w+)\[(\d+)\]$/.exec(field) ?? [];
    return field.startsWith(name)
      ? [line ? t`Line ${{ line: Number(line) + 1 }} ${message}` : message]
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

/** A text field that shows what is wrong with it. */
export function FormField({ name, onValue, helperText, error, ...props }: FormFieldProps) {
  const message = useFieldMessage(name);
  const { forget } = useContext(SubmissionContext);
  return (
    <TextField
      name={name}
      fullWidth
      autoComplete="off"
      error={error === true || message !== undefined}
      helperText={message ?? helperText}
      onChange={(event) => {
        forget(name);
        onValue(event.target.value);
      }}
      {...props}
    />
  );
}
