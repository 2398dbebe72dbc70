import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { FirstSteps } from "../ui/FirstSteps";
import { useCan } from "../ui/useInstitution";
import { useFirstSteps } from "./useFirstSteps";

/** The first steps of a new institution, up to a license in use. */
export function InstitutionSteps({ institutionId }: { institutionId: string }) {
  const { manage } = useCan();
  return manage ? <Steps institutionId={institutionId} /> : null;
}

function Steps({ institutionId }: { institutionId: string }) {
  const { steps, hide } = useFirstSteps(institutionId);
  if (!steps) return null;
  const left = steps.filter((step) => !step.isDone).length;
  return (
    <FirstSteps
      steps={steps}
      manage
      actions={
        // The last step is not always visible: a license may be verified offline.
        left === 1 && (
          <Button size="small" onClick={hide}>
            {t`Hide`}
          </Button>
        )
      }
    />
  );
}
