import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useRef, type FormEvent, type KeyboardEvent } from "react";
import { asProblem } from "../../api/problem";
import type { License } from "../../api/types";
import { dateTime } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { useSubmission } from "../../ui/useSubmission";
import { CustomerSection } from "./CustomerSection";
import { FeaturesSection } from "./FeaturesSection";
import styles from "./issue.module.css";
import type { Draft } from "./issueDraft";
import { LimitsSection } from "./LimitsSection";
import { NotesSection } from "./NotesSection";
import { ProductSection } from "./ProductSection";
import { Summary, SummaryFacts } from "./Summary";
import { TermSection } from "./TermSection";
import { useDraft } from "./useDraft";
import { useIssueForm } from "./useIssueForm";

interface IssueFieldsProps {
  /** Where this browser keeps the draft. */
  place: string;
  /** What a new draft begins with. */
  fresh: Draft;
  onIssued: (license: License, draft: Draft) => void;
}

/** Gives the focus to the first field that is wrong, once it says so. */
function focusOnWrong(within: HTMLElement | null) {
  requestAnimationFrame(() => {
    within?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  });
}

/** A phone would cover half of the page with its keyboard. */
const hasKeyboard = () => window.matchMedia("(pointer: fine)").matches;

/** Enter in a field is no decision to issue; with Ctrl or Cmd it is, from everywhere. */
function onEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter") return;
  const isMeant = event.ctrlKey || event.metaKey;
  if (isMeant) event.currentTarget.requestSubmit();
  if (isMeant || event.target instanceof HTMLInputElement) event.preventDefault();
}

/** Everything that a license can have, on one page, and beside it what comes of it in words. */
export function IssueFields({ place, fresh, onIssued }: IssueFieldsProps) {
  const kept = useDraft(place, fresh);
  const { form, check, issue, clear } = useIssueForm(kept);
  const { attempt, run, clearError } = useSubmission();
  const frame = useRef<HTMLFormElement>(null);
  const { draft, product } = form;
  // With product and model remembered, the customer is what is left to type.
  const isRepeat = draft.productId !== null && draft.type !== null;
  const begins = kept.resumed === null && hasKeyboard();
  const send = async () => {
    try {
      const license = await issue();
      if (license) onIssued(license, draft);
    } catch (error) {
      if (asProblem(error).fields.length > 0) focusOnWrong(frame.current);
      throw error;
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    clearError();
    if (check()) void run(send);
    else focusOnWrong(frame.current);
  };
  const discard = () => {
    const undo = kept.discard();
    clear();
    frame.current?.querySelector<HTMLElement>("input")?.focus();
    notify(t`Draft discarded.`, {
      undo: () => {
        undo();
        return Promise.resolve();
      },
    });
  };
  const discardButton = (
    <Button color="inherit" size="small" onClick={discard}>
      {t`Discard draft`}
    </Button>
  );
  return (
    <form
      ref={frame}
      noValidate
      onSubmit={submit}
      onChange={() => {
        if (attempt.error !== null) clearError();
      }}
      onKeyDown={onEnter}
      className={styles.form}
    >
      <div className={styles.sections}>
        {kept.resumed && kept.isDirty && (
          <Alert severity="info" role="status" action={discardButton}>
            {t`This is your draft of ${{ moment: dateTime(kept.resumed) }}.`}
          </Alert>
        )}
        <ProductSection form={form} isNext={begins && draft.productId === null} />
        <TermSection form={form} />
        <LimitsSection form={form} />
        <CustomerSection form={form} isNext={begins && isRepeat} />
        <FeaturesSection form={form} />
        <NotesSection form={form} />
      </div>
      <div className={styles.aside}>
        <Section title={t`Summary`}>
          <Summary form={form} />
          {attempt.error !== null && (
            <div className={styles.problem}>
              <ProblemAlert
                error={attempt.error}
                isTold={(field) => (field.split(".")[0] ?? "") in draft}
              />
            </div>
          )}
          <Button
            type="submit"
            variant="contained"
            size="large"
            fullWidth
            loading={attempt.busy}
            disabled={product?.hasKeys === false}
            aria-keyshortcuts="Control+Enter"
            className={styles.issue}
          >
            {t`Issue license`}
          </Button>
          {kept.isDirty && !kept.resumed && (
            <p className={styles.kept}>
              {t`The draft is kept on this device.`} {discardButton}
            </p>
          )}
          <SummaryFacts form={form} />
        </Section>
      </div>
    </form>
  );
}
