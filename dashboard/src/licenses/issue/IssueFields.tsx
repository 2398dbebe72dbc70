import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useRef, useState, type KeyboardEvent } from "react";
import { dateTime } from "../../ui/formats";
import { IS_APPLE } from "../../ui/pageKeys";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { CustomerSection } from "./CustomerSection";
import { FeaturesSection, MoreSection } from "./LimitsSection";
import styles from "./issue.module.css";
import { countOf, type Draft } from "./issueDraft";
import { keptDraft } from "./keptDraft";
import { ProductSection } from "./ProductSection";
import { Summary, SummaryFacts } from "./Summary";
import { TermSection } from "./TermSection";
import { useIssueForm, type IssuedLicenses } from "./useIssueForm";

interface IssueFieldsProps {
  /** Where this browser keeps the draft. */
  place: string;
  /** What a new draft begins with. */
  fresh: Draft;
  onIssued: (issued: IssuedLicenses, draft: Draft) => void;
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
  // A policy that changes meanwhile does not change what the page began with.
  const [kept] = useState(() => keptDraft(place, fresh));
  const [resumed, setResumed] = useState(kept.at);
  const form = useIssueForm(kept, onIssued);
  const frame = useRef<HTMLFormElement>(null);
  const { draft, product, error, forgetError } = form;
  // With product and model remembered, the customer is what is left to type.
  const isRepeat = draft.productId !== null && draft.type !== null;
  const begins = resumed === null && hasKeyboard();
  const isChanged = !kept.isFresh(draft);
  const discard = () => {
    form.reset(kept.fresh);
    setResumed(null);
    frame.current?.querySelector<HTMLElement>("input")?.focus();
    notify(t`Draft discarded.`, {
      undo: () => {
        form.reset(draft);
        // The page may have been left.
        kept.keep(draft);
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
    <Form
      ref={frame}
      form={form}
      onChange={forgetError}
      onKeyDown={onEnter}
      className={styles.form}
    >
      <Column gap="l">
        {resumed && isChanged && (
          <Alert severity="info" role="status" action={discardButton}>
            {t`This is your draft of ${{ moment: dateTime(resumed) }}.`}
          </Alert>
        )}
        <ProductSection form={form} isNext={begins && draft.productId === null} />
        <CustomerSection form={form} isNext={begins && isRepeat} />
        <TermSection
          form={form}
          isNext={begins && draft.productId !== null && draft.type === null}
        />
        <FeaturesSection form={form} />
        <MoreSection form={form} />
      </Column>
      <div className={styles.aside}>
        <Section title={t`Summary`}>
          <Summary form={form} />
          {error !== null && (
            <div className={styles.problem}>
              <FormProblem />
            </div>
          )}
          <SubmitButton
            size="large"
            fullWidth
            disabled={product?.hasKeys === false}
            aria-keyshortcuts="Control+Enter"
            className={styles.issue}
          >
            {plural(countOf(draft) || 1, { one: "Issue license", other: "Issue # licenses" })}
            {hasKeyboard() && (
              <kbd aria-hidden className={styles.keys}>
                {IS_APPLE ? "⌘" : t`Ctrl`} ↵
              </kbd>
            )}
          </SubmitButton>
          {isChanged && !resumed && (
            <p className={styles.kept}>
              {t`The draft is kept on this device.`} {discardButton}
            </p>
          )}
          <SummaryFacts form={form} />
        </Section>
      </div>
    </Form>
  );
}
