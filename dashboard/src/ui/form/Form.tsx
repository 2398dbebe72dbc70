import Button from "@mui/material/Button";
import type { ButtonProps } from "@mui/material/Button";
import { type ComponentProps, createContext, useContext } from "react";
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
}

/** The element of a form; `FormProblem` and `SubmitButton` belong inside. */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const { form, onDone, ...rest } = props;
  const { formState, error, isShown, submit } = form;
  return (
    <SubmissionContext value={{ isBusy: formState.isSubmitting, error, isShown }}>
      <form
        noValidate
        {...rest}
        onSubmit={(event) =>
          void submit(event).then((isSent) => {
            if (isSent) onDone?.();
          })
        }
      />
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
