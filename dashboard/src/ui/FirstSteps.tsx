import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { DoneIcon, OpenStepIcon } from "./icons";
import { Section } from "./Section";

export interface FirstStep {
  title: string;
  why: string;
  isDone: boolean;
  to: string;
  action: string;
}

interface FirstStepsProps {
  steps: FirstStep[];
  /** Whether the user may take the steps. */
  manage: boolean;
  actions?: ReactNode;
}

/** An onboarding checklist with a link to the next step; hidden once all steps are done. */
export function FirstSteps({ steps, manage, actions }: FirstStepsProps) {
  const next = steps.find((step) => !step.isDone);
  if (!next) return null;
  const done = steps.filter((step) => step.isDone).length;
  return (
    <Section
      title={t`Get started`}
      subtitle={t`${done} of ${{ total: steps.length }} steps done`}
      help="getting-started"
      actions={actions}
    >
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {steps.map((step) => (
          <StepRow key={step.title} step={step} isOffered={manage && step === next} />
        ))}
      </Box>
    </Section>
  );
}

const StepRow = ({ step, isOffered }: { step: FirstStep; isOffered: boolean }) => (
  <Stack component="li" direction="row" sx={{ gap: 1.5, alignItems: "flex-start", py: 1 }}>
    {step.isDone ? (
      <DoneIcon color="var(--good)" role="img" aria-label={t`Done`} />
    ) : (
      <OpenStepIcon color="var(--faded)" role="img" aria-label={t`To do`} />
    )}
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography sx={{ fontWeight: 600 }}>{step.title}</Typography>
      <Typography variant="body2" color="textSecondary">
        {step.why}
      </Typography>
    </Box>
    {isOffered && (
      <Button component={Link} to={step.to} variant="outlined" size="small">
        {step.action}
      </Button>
    )}
  </Stack>
);
