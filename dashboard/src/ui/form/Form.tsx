import Button from "@mui/material/Button";
import type { ButtonProps } from "@mui/material/Button";
import {
  type ComponentProps,
  createContext,
  type SyntheticEvent,
  useContext,
  useEffect,
  useState,
} from "react";
import type { FieldValues } from "react-hook-form";
import { ProblemAlert } from "../ProblemAlert";
import type { ApiForm } from "./useApiForm";

interface Submission {
  isBusy: boolean;
  error: unknown;
  isShown: (field: string) => boolean;
}

const SubmissionContext = createContext<Submission>({
  isBusy: false,
  error: null,
  isShown: () => false,
});

interface FormProps<Values extends FieldValues> extends Omit<ComponentProps<"form">, "onSubmit"> {
  form: ApiForm<Values>;
  /** What happens when it was sent, such as closing its dialog. */
  onDone?: () => void;
  /** Whether something is still loading that decides what is sent; it is sent once that is there. */
  isLoading?: boolean;
}

/** The element of a form; `FormProblem` and `SubmitButton` belong inside. */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const { form, onDone, isLoading = false, ...rest } = props;
  const { formState, error, isShown, submit } = form;
  // The form that is to be sent as soon as everything is there.
  const [early, setEarly] = useState<HTMLFormElement | null>(null);
  useEffect(() => {
    if (!isLoading) early?.requestSubmit();
  }, [isLoading, early]);
  const send = (event: SyntheticEvent<HTMLFormElement>) => {
    setEarly(isLoading ? event.currentTarget : null);
    if (isLoading) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    void submit(event).then((isSent) => {
      if (isSent) onDone?.();
    });
  };
  return (
    <SubmissionContext value={{ isBusy: formState.isSubmitting || early !== null, error, isShown }}>
      <form noValidate {...rest} onSubmit={send} />
    </SubmissionContext>
  );
}

/** The error of the surrounding form; what its fields show is left to them. */
export function FormProblem() {
  const { error, isShown } = useContext(SubmissionContext);
  return error === null ? null : <ProblemAlert error={error} isTold={isShown} />;
}

/** Sends the surrounding form. */
export function SubmitButton(props: ButtonProps) {
  const { isBusy } = useContext(SubmissionContext);
  return <Button type="submit" variant="contained" loading={isBusy} {...props} />;
}
