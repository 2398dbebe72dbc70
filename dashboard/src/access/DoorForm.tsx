import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { ProblemAlert } from "../ui/ProblemAlert";
import type { useSubmit } from "../ui/useSubmit";

interface DoorFormProps {
  submit: ReturnType<typeof useSubmit>;
  /** The verb on the button. */
  action: string;
  children: ReactNode;
}

/** Fields below each other, the refusal, and the one button. */
export const DoorForm = ({ submit, action, children }: DoorFormProps) => (
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
