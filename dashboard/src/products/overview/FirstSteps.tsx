import CheckedIcon from "@mui/icons-material/CheckCircle";
import UncheckedIcon from "@mui/icons-material/RadioButtonUnchecked";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { Section } from "../../ui/Section";

export interface Step {
  title: string;
  why: string;
  isDone: boolean;
  to: string;
  action: string;
}

const StepRow = ({ step, manage }: { step: Step; manage: boolean }) => (
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
    {manage && !step.isDone && (
      <Button component={Link} to={step.to} variant="outlined" size="small">
        {step.action}
      </Button>
    )}
  </Stack>
);

/** What is to be done before an application can ask for a license; gone once all is. */
export function FirstSteps({ steps, manage }: { steps: Step[]; manage: boolean }) {
  if (steps.every((step) => step.isDone)) return null;
  const done = steps.filter((step) => step.isDone).length;
  return (
    <Section
      title="First steps"
      subtitle={`${String(done)} of ${String(steps.length)} done.`}
      help="getting-started"
    >
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {steps.map((step) => (
          <StepRow key={step.title} step={step} manage={manage} />
        ))}
      </Box>
    </Section>
  );
}
