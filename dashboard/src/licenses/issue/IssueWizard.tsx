import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import CardContent from "@mui/material/CardContent";
import Stack from "@mui/material/Stack";
import StepView from "@mui/material/Step";
import StepButton from "@mui/material/StepButton";
import Stepper from "@mui/material/Stepper";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { Theme } from "@mui/material/styles";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { CustomerStep } from "./CustomerStep";
import { missing, STEP_LABELS, stepOf, STEPS, type Step } from "./issueDraft";
import { ProductStep } from "./ProductStep";
import { ReviewStep } from "./ReviewStep";
import { TermsStep } from "./TermsStep";
import type { IssueForm } from "./useIssueForm";

interface IssueWizardProps {
  form: IssueForm;
  step: Step;
  onStep: (step: Step) => void;
  issue: () => Promise<void>;
}

function Progress({ step, onStep }: Pick<IssueWizardProps, "step" | "onStep">) {
  const hasRoom = useMediaQuery((theme: Theme) => theme.breakpoints.up("sm"));
  const at = STEPS.indexOf(step);
  if (!hasRoom)
    return (
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        Step {at + 1} of {STEPS.length}
      </Typography>
    );
  return (
    <Stepper nonLinear activeStep={at} sx={{ mb: 3 }}>
      {STEPS.map((name, index) => (
        <StepView key={name} completed={index < at} disabled={index > at}>
          <StepButton
            onClick={() => {
              onStep(name);
            }}
          >
            {STEP_LABELS[name]}
          </StepButton>
        </StepView>
      ))}
    </Stepper>
  );
}

/** Focuses the first invalid field. */
function focusOnWrong(within: HTMLElement | null) {
  requestAnimationFrame(() => {
    within?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  });
}

/** The steps product, customer, terms and review, with the fields of the chosen model. */
export function IssueWizard({ form, step, onStep, issue }: IssueWizardProps) {
  const { draft, product, setErrors } = form;
  const frame = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const at = STEPS.indexOf(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo({ top: 0 });
    if (frame.current?.querySelector("[aria-invalid=true]")) focusOnWrong(frame.current);
    else heading.current?.focus();
  }, [step]);
  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      await issue();
    } catch (error) {
      setError(error);
      const [field] = (error as { fields?: { field: string }[] }).fields ?? [];
      if (field) onStep(stepOf(field.field));
    } finally {
      setBusy(false);
    }
  };
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    if (step === "review") {
      if (!busy) void send();
      return;
    }
    const lacks = missing(step, draft, product);
    setErrors(lacks);
    setError(null);
    if (Object.keys(lacks).length > 0) focusOnWrong(frame.current);
    else onStep(STEPS[at + 1] ?? "review");
  };
  const waitsForKeys = step === "product" && product?.hasKeys === false;
  return (
    <form ref={frame} noValidate onSubmit={goOn}>
      <Progress step={step} onStep={onStep} />
      <Card>
        <CardContent sx={{ p: { xs: 2, sm: 3 } }}>
          <Typography ref={heading} tabIndex={-1} variant="h6" component="h2" sx={{ mb: 2 }}>
            {STEP_LABELS[step]}
          </Typography>
          {error !== null && (
            <Stack sx={{ mb: 2 }}>
              <ProblemAlert error={error} />
            </Stack>
          )}
          {step === "product" && <ProductStep form={form} />}
          {step === "customer" && <CustomerStep form={form} />}
          {step === "terms" && <TermsStep form={form} />}
          {step === "review" && <ReviewStep form={form} onEdit={onStep} />}
        </CardContent>
      </Card>
      <Stack direction="row" sx={{ gap: 1, mt: 2, justifyContent: "flex-end" }}>
        {at > 0 && (
          <Button
            onClick={() => {
              onStep(STEPS[at - 1] ?? "product");
            }}
          >
            Back
          </Button>
        )}
        <Button type="submit" variant="contained" loading={busy} disabled={waitsForKeys}>
          {step === "review" ? "Issue license" : "Next"}
        </Button>
      </Stack>
    </form>
  );
}
