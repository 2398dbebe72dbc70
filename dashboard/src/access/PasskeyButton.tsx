import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { hasPasskeys } from "../api/passkeys";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSubmission } from "../ui/useSubmission";

interface PasskeyButtonProps {
  onUse: () => Promise<unknown>;
}

/** Uses a passkey; nothing where the browser has none. */
export function PasskeyButton({ onUse }: PasskeyButtonProps) {
  const { attempt, run } = useSubmission();
  if (!hasPasskeys()) return null;
  return (
    <Stack sx={{ gap: 1 }}>
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
      <Button
        variant="outlined"
        size="large"
        loading={attempt.busy}
        onClick={() => {
          void run(onUse);
        }}
      >
        {t`Use a passkey`}
      </Button>
    </Stack>
  );
}
