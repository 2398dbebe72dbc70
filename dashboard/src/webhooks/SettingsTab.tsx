import { t } from "@lingui/core/macro";
import { changed } from "../api/changed";
import { WebhookChange } from "../api/checks";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { useApiForm } from "../ui/form/useApiForm";
import { Column, Row } from "../ui/layout/layout";
import { Section } from "../ui/Section";
import { UnsavedGuard } from "../ui/UnsavedGuard";
import { DangerSection } from "./DangerSection";
import { SecretSection } from "./SecretSection";
import { useWebhookActions } from "./useWebhookActions";
import { bodyOf, draftOf, WEBHOOK, type WebhookDraft } from "./webhook";
import { WebhookFields } from "./WebhookFields";
import { notify } from "../ui/toasts/toasts";

function Details({ webhook }: { webhook: Webhook }) {
  const { refresh } = useWebhookActions(webhook);
  const values = draftOf(webhook);
  const save = async (draft: WebhookDraft) => {
    await api.PUT(WEBHOOK, {
      params: { path: { webhookId: webhook.id } },
      body: changed(bodyOf(draft), bodyOf(values)),
    });
    await refresh();
    notify(t`Webhook saved.`);
  };
  const form = useApiForm({ values, checks: WebhookChange, send: save });
  const { isDirty } = form.formState;
  return (
    <Section title={t`Endpoint and events`}>
      <UnsavedGuard when={isDirty} />
      <Form form={form}>
        <Column gap="l">
          <WebhookFields form={form} />
          <FormProblem />
          <Row>
            <SubmitButton disabled={!isDirty}>{t`Save`}</SubmitButton>
          </Row>
        </Column>
      </Form>
    </Section>
  );
}

/** Settings of a webhook: endpoint, events, signing secret, disable and delete. */
export const SettingsTab = ({ webhook }: { webhook: Webhook }) => (
  <Column gap="l">
    <Details webhook={webhook} />
    <SecretSection webhook={webhook} />
    <DangerSection webhook={webhook} />
  </Column>
);
