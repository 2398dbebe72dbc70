import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { WebhookRequest } from "../api/checks";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { useApiForm } from "../ui/form/useApiForm";
import { Column, Row } from "../ui/layout/layout";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { settingsPath } from "../ui/paths";
import { UnsavedGuard } from "../ui/UnsavedGuard";
import { useUrlParams } from "../ui/useUrlParams";
import { useCan, useInstitution } from "../ui/useInstitution";
import { NoWebhookAccess } from "./NoWebhookAccess";
import { faultsOf, ReceiverSnippet, WebhookFields } from "./WebhookFields";
import { FIELDS, hostOf, WEBHOOKS } from "./webhook";

const NONE = FIELDS.draftOf();

function NewWebhook({ institutionId }: { institutionId: string }) {
  const [made, setMade] = useState<Schemas["IssuedWebhook"] | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    values: NONE,
    checks: WebhookRequest,
    validate: faultsOf,
    send: async (draft) => {
      const { data } = await api.POST(WEBHOOKS, {
        body: { institutionId, ...FIELDS.bodyOf(draft), enabled: true },
      });
      if (data) setMade(data);
      await queries.invalidateQueries({ queryKey: ["get", WEBHOOKS] });
    },
  });
  const { isDirty } = form.formState;
  return (
    <Form form={form}>
      <UnsavedGuard when={made === null && isDirty} />
      <Section title={t`Endpoint and events`}>
        <Column gap="l">
          <WebhookFields form={form} autoFocus />
          <FormProblem />
          <Row gap="s">
            <SubmitButton disabled={made !== null}>{t`Create webhook`}</SubmitButton>
            <ButtonLink to={settingsPath(institutionId, "webhooks")}>{t`Cancel`}</ButtonLink>
          </Row>
        </Column>
      </Section>
      {made && (
        <SecretDialog
          title={t`Webhook created`}
          label={t`Signing secret`}
          secret={made.secret}
          fileName={`webhook-${hostOf(made.url).replace(/[^\w.-]/g, "-")}.txt`}
          onClose={() => void navigate(`/webhooks/${made.id}`, { replace: true })}
        >
          <ReceiverSnippet secret={made.secret} />
        </SecretDialog>
      )}
    </Form>
  );
}

export default function NewWebhookPage() {
  const current = useInstitution().institutionId;
  const institutionId = useUrlParams().params.get("institutionId") ?? current;
  const { manage } = useCan(institutionId ?? undefined);
  return (
    <Page
      title={t`New webhook`}
      help="webhooks"
      back={{
        to: institutionId ? settingsPath(institutionId, "webhooks") : "/settings/webhooks",
        label: t`Webhooks`,
      }}
      subtitle={t`Sends events to your endpoint as they happen.`}
    >
      {institutionId && manage && <NewWebhook institutionId={institutionId} />}
      {(institutionId === null || (institutionId && !manage)) && <NoWebhookAccess />}
    </Page>
  );
}
