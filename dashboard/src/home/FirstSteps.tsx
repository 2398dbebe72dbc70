import CheckedIcon from "@mui/icons-material/CheckCircle";
import UncheckedIcon from "@mui/icons-material/RadioButtonUnchecked";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { useCan } from "../ui/useInstitution";
import { Section } from "../ui/Section";
import { useFirstSteps, type Step } from "./useFirstSteps";

/** From nothing to a license that an application asks for; gone once all of it is done. */
export function FirstSteps({ institutionId }: { institutionId: string }) {
  const { manage } = useCan();
  return manage ? <Steps institutionId={institutionId} /> : null;
}

function Steps({ institutionId }: { institutionId: string }) {
  const { steps, hide } = useFirstSteps(institutionId);
  if (!steps || steps.every((step) => step.isDone)) return null;
  const done = steps.filter((step) => step.isDone).length;
  const next = steps.find((step) => !step.isDone);
  return (
    <Section
      title="First steps"
      subtitle={`${String(done)} of ${String(steps.length)} done.`}
      help="getting-started"
      actions={
        // The last step may be done where nobody sees it: a license that is verified offline.
        done === steps.length - 1 && (
          <Button size="small" onClick={hide}>
            Hide the steps
          </Button>
        )
      }
    >
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {steps.map((step) => (
          <StepRow key={step.title} step={step} isNext={step === next} />
        ))}
      </Box>
    </Section>
  );
}

const StepRow = ({ step, isNext }: { step: Step; isNext: boolean }) => (
  <Stack component="li" direction="row" sx={{ gap: 1.5, alignItems: "flex-start", py: 1 }}>
    {step.isDone ? (
      <CheckedIcon color="success" titleAccess="Done" />
    ) : (
      <UncheckedIcon color="disabled" titleAccess="To do" />
    )}
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography sx={{ fontWeight: 600 }}>{step.title}</Typography>
      <Typography variant="body2" color="textSecondary">
        {step.why}
      </Typography>
    </Box>
    {isNext && (
      <Button component={Link} to={step.to} variant="contained" size="small">
        {step.action}
      </Button>
    )}
  </Stack>
);
