import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { ProblemAlert } from "../ui/ProblemAlert";
import type { useSubmit } from "../ui/useSubmit";

interface ProfileFormProps {
  submit: ReturnType<typeof useSubmit>;
  /** Label of the submit button. */
  action: string;
  children: ReactNode;
}

/** A form with its error message and a submit button. */
export const ProfileForm = ({ submit, action, children }: ProfileFormProps) => (
  <form {...submit.form}>
    <Stack sx={{ gap: 2, maxWidth: 460, alignItems: "flex-start" }}>
      {children}
      {submit.problem && <ProblemAlert error={submit.problem} />}
      <Button type="submit" variant="contained" loading={submit.busy}>
        {action}
      </Button>
    </Stack>
  </form>
);
