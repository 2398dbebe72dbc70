import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { request } from "../../api/client";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { useApiForm } from "../../ui/form/useApiForm";
import { Column, Row } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useSubmission } from "../../ui/useSubmission";
import { EmailPreview } from "./EmailPreview";
import styles from "./emails.module.css";
import { LanguageField } from "./LanguageField";
import { PlaceholderList } from "./PlaceholderList";
import {
  changeOf,
  draftOf,
  KINDS,
  templatePath,
  trialOf,
  type Owner,
  type Template,
} from "./template";
import { TextFields } from "./TextFields";

interface EmailEditorProps {
  owner: Owner;
  template: Template;
  onClose: () => void;
}

/** Edits the text of an email in one language at a time, next to a preview. */
export function EmailEditor({ owner, template, onClose }: EmailEditorProps) {
  const { label } = KINDS[template.kind];
  const path = templatePath(owner, template.kind);
  const [locale, setLocale] = useState(template.effective.defaultLocale);
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: draftOf(template, locale),
    send: async (draft) => {
      await request("PUT", path, changeOf(draft));
      notifyChanged(t`${label}: text saved.`);
    },
  });
  const { isDirty } = form.formState;
  const [senderName, replyTo, translations] = useWatch({
    control: form.control,
    name: ["senderName", "replyTo", "translations"],
  });
  const trial = trialOf({ senderName, replyTo, translations }, locale);
  const test = useSubmission();
  const sendTest = () =>
    test.run(async () => {
      await request("POST", `${path}/test`, trial ?? {});
      notify(t`Test email sent to your address.`, { type: "success" });
    });
  return (
    <Section
      title={label}
      help="emails"
      subtitle={t`Names in braces stand for facts of the license. A line is left out if the license does not have the fact.`}
      actions={<Button onClick={onClose}>{t`Back to all emails`}</Button>}
    >
      <Form form={form}>
        <Column gap="l">
          <div className={styles.halves}>
            <Column gap="l">
              <LanguageField
                locales={Object.keys(template.effective.translations)}
                value={locale}
                disabled={isDirty}
                onValue={(next) => {
                  form.reset(draftOf(template, next));
                  setLocale(next);
                }}
              />
              <TextFields form={form} locale={locale} />
              <PlaceholderList placeholders={template.placeholders} />
            </Column>
            <EmailPreview path={path} trial={trial} />
          </div>
          <FormProblem />
          {test.attempt.error !== null && <ProblemAlert error={test.attempt.error} />}
          <Row gap="s" place="atEnd" wraps>
            <Button loading={test.attempt.busy} disabled={!trial} onClick={() => void sendTest()}>
              {t`Send test to me`}
            </Button>
            <SubmitButton disabled={!isDirty || !trial}>{t`Save`}</SubmitButton>
          </Row>
        </Column>
      </Form>
      <UnsavedGuard when={isDirty} />
    </Section>
  );
}
