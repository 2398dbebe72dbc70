import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { hasPasskeys } from "../api/passkeys";
import { Column } from "../ui/layout/layout";
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
    <Column gap="s">
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
      <Button
        variant="outlined"
        size="large"
        loading={attempt.busy}
        onClick={() => void run(onUse)}
      >
        {t`Use a passkey`}
      </Button>
    </Column>
  );
}
