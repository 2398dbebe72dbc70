import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { ProblemAlert } from "../ui/ProblemAlert";
import type { useSubmit } from "../ui/useSubmit";

interface AuthFormProps {
  submit: ReturnType<typeof useSubmit>;
  /** Label of the submit button. */
  action: string;
  children: ReactNode;
}

/** A form with its error message and one submit button. */
export const AuthForm = ({ submit, action, children }: AuthFormProps) => (
  <form {...submit.form}>
    <Stack sx={{ gap: 2 }}>
      {children}
      {submit.problem && <ProblemAlert error={submit.problem} />}
      <Button type="submit" variant="contained" size="large" loading={submit.busy}>
        {action}
      </Button>
    </Stack>
  </form>
);
