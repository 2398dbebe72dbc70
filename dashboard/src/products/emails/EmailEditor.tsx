import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Grid from "@mui/material/Grid";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { request } from "../../api/client";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useSubmission } from "../../ui/useSubmission";
import { EmailPreview } from "./EmailPreview";
import { LanguageField } from "./LanguageField";
import { PlaceholderList } from "./PlaceholderList";
import {
  changeOf,
  draftOf,
  KINDS,
  templatePath,
  trialOf,
  type Draft,
  type Owner,
  type Template,
} from "./template";

interface EmailEditorProps {
  owner: Owner;
  template: Template;
  onClose: () => void;
}

/** Edits the text of an email in one language at a time, next to a preview. */
export function EmailEditor({ owner, template, onClose }: EmailEditorProps) {
  const { label } = KINDS[template.kind];
  const path = templatePath(owner, template.kind);
  const [base, setBase] = useState(() => draftOf(template, template.effective.defaultLocale));
  const [draft, setDraft] = useState(base);
  const notifyChanged = useNotifyChanged();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);
  const trial = trialOf(draft);
  const set = (change: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const begin = (locale: string) => {
    const next = draftOf(template, locale);
    setBase(next);
    setDraft(next);
  };
  const form = useFormSubmission(async () => {
    await request("PUT", path, changeOf(draft));
    setBase(draft);
    notifyChanged(t`${label}: text saved.`);
  });
  const test = useSubmission();
  const sendTest = () =>
    test.run(async () => {
      await request("POST", `${path}/test`, trial ?? {});
      notify(t`Test email sent to your address.`, { type: "success" });
    });
  const field = (name: "subject" | "body") => `translations.${draft.locale}.${name}`;
  return (
    <Section
      title={label}
      help="emails"
      subtitle={t`Names in braces stand for facts of the license. A line is left out if the license does not have the fact.`}
      actions={<Button onClick={onClose}>{t`Back to all emails`}</Button>}
    >
      <Form {...form}>
        <Grid container spacing={2.5}>
          <Grid size={{ xs: 12, md: 6 }}>
            <Stack sx={{ gap: 2 }}>
              <LanguageField
                locales={Object.keys(template.effective.translations)}
                value={draft.locale}
                disabled={isChanged}
                onValue={begin}
              />
              <FormField
                name="senderName"
                label={t`Sender`}
                value={draft.senderName}
                onValue={(senderName) => {
                  set({ senderName });
                }}
                helperText={t`Name in front of the address. Leave it empty for the name of your institution.`}
              />
              <FormField
                name="replyTo"
                label={t`Replies to`}
                type="email"
                value={draft.replyTo}
                onValue={(replyTo) => {
                  set({ replyTo });
                }}
                helperText={t`Optional. Email address that replies go to.`}
              />
              <FormField
                name={field("subject")}
                label={t`Subject`}
                required
                value={draft.subject}
                onValue={(subject) => {
                  set({ subject });
                }}
              />
              <FormField
                name={field("body")}
                label={t`Text`}
                required
                multiline
                minRows={8}
                maxRows={24}
                value={draft.body}
                onValue={(body) => {
                  set({ body });
                }}
                helperText={t`Markdown is supported, images and HTML are not.`}
              />
              <PlaceholderList placeholders={template.placeholders} />
            </Stack>
          </Grid>
          <Grid size={{ xs: 12, md: 6 }}>
            <EmailPreview path={path} trial={trial} />
          </Grid>
        </Grid>
        <Stack sx={{ gap: 2, mt: 2 }}>
          <FormProblem />
          {test.attempt.error !== null && <ProblemAlert error={test.attempt.error} />}
          <Stack direction="row" sx={{ gap: 1, justifyContent: "flex-end", flexWrap: "wrap" }}>
            <Button
              loading={test.attempt.busy}
              disabled={!trial}
              onClick={() => {
                void sendTest();
              }}
            >
              {t`Send test to me`}
            </Button>
            <SubmitButton disabled={!isChanged || !trial}>{t`Save`}</SubmitButton>
          </Stack>
        </Stack>
      </Form>
      <UnsavedGuard when={isChanged} />
    </Section>
  );
}
