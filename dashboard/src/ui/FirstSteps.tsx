import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import styles from "./firstSteps.module.css";
import { DoneIcon, OpenStepIcon } from "./icons";
import { Column, Fill, Row } from "./layout/layout";
import { Muted } from "./Muted";
import { ButtonLink, PageLink } from "./PageLink";
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
      <Column as="ol">
        {steps.map((step) => (
          <StepRow
            key={step.title}
            step={step}
            isOffered={manage && step === next}
            isOpen={manage}
          />
        ))}
      </Column>
    </Section>
  );
}

interface StepRowProps {
  step: FirstStep;
  /** Whether it is the next one. */
  isOffered: boolean;
  /** Whether the user may look at where it is taken. */
  isOpen: boolean;
}

const StepRow = ({ step, isOffered, isOpen }: StepRowProps) => (
  <Row as="li" gap="m" align="start" className={styles.step}>
    {step.isDone ? (
      <DoneIcon color="var(--good)" role="img" aria-label={t`Done`} />
    ) : (
      <OpenStepIcon color="var(--faded)" role="img" aria-label={t`To do`} />
    )}
    <Fill>
      <Typography variant="subtitle1" component="p">
        {isOpen ? <PageLink to={step.to}>{step.title}</PageLink> : step.title}
      </Typography>
      <Muted>{step.why}</Muted>
    </Fill>
    {isOffered && (
      <ButtonLink to={step.to} variant="outlined" size="small">
        {step.action}
      </ButtonLink>
    )}
  </Row>
);
