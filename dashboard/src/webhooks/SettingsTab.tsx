import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { changed } from "../api/changed";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "../ui/Form";
import { Section } from "../ui/Section";
import { UnsavedGuard } from "../ui/UnsavedGuard";
import { DangerSection } from "./DangerSection";
import { SecretSection } from "./SecretSection";
import { useWebhookActions } from "./useWebhookActions";
import { WEBHOOK } from "./webhook";
import { WebhookFields, type WebhookDraft } from "./WebhookFields";
import { notify } from "../ui/toasts/toasts";

const draftOf = ({ url, description, eventTypes }: Webhook): WebhookDraft => ({
  url,
  description: description ?? "",
  eventTypes,
});

const bodyOf = ({ url, description, eventTypes }: WebhookDraft) => ({
  url: url.trim(),
  description: description.trim() || null,
  eventTypes: [...eventTypes].sort(),
});

function Details({ webhook }: { webhook: Webhook }) {
  const [draft, setDraft] = useState(() => draftOf(webhook));
  const { refresh } = useWebhookActions(webhook);
  const body = changed(bodyOf(draft), bodyOf(draftOf(webhook)));
  const isChanged = Object.keys(body).length > 0;
  const { attempt, submit } = useFormSubmission(async () => {
    await api.PUT(WEBHOOK, { params: { path: { webhookId: webhook.id } }, body });
    await refresh();
    notify(t`Webhook saved.`);
  });
  return (
    <Section title={t`Endpoint and events`}>
      <UnsavedGuard when={isChanged} />
      <Form attempt={attempt} submit={submit}>
        <Stack sx={{ gap: 2.5, alignItems: "flex-start" }}>
          <WebhookFields draft={draft} onDraft={setDraft} />
          <FormProblem />
          <SubmitButton disabled={!isChanged}>{t`Save`}</SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}

/** Settings of a webhook: endpoint, events, signing secret, disable and delete. */
export const SettingsTab = ({ webhook }: { webhook: Webhook }) => (
  <Stack sx={{ gap: 2 }}>
    <Details webhook={webhook} />
    <SecretSection webhook={webhook} />
    <DangerSection webhook={webhook} />
  </Stack>
);
