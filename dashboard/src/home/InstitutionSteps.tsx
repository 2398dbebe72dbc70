import Button from "@mui/material/Button";
import { FirstSteps } from "../ui/FirstSteps";
import { useCan } from "../ui/useInstitution";
import { useFirstSteps } from "./useFirstSteps";

/** From nothing to a license that an application asks for. */
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
        // The last step may be done where nobody sees it: a license that is verified offline.
        left === 1 && (
          <Button size="small" onClick={hide}>
            Hide the steps
          </Button>
        )
      }
    />
  );
}
