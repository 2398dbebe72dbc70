import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "../ui/Form";
import { Page } from "../ui/Page";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { settingsPath } from "../ui/settingsPath";
import { UnsavedGuard } from "../ui/UnsavedGuard";
import { useUrlParams } from "../ui/useUrlParams";
import { useCan, useInstitution } from "../ui/useInstitution";
import { ALL } from "./eventTypes";
import { NoWebhookAccess } from "./NoWebhookAccess";
import { ReceiverSnippet } from "./ReceiverSnippet";
import { hostOf, WEBHOOKS } from "./webhook";
import { WebhookFields, type WebhookDraft } from "./WebhookFields";

const EMPTY: WebhookDraft = { url: "", description: "", eventTypes: [ALL] };

function NewWebhook({ institutionId }: { institutionId: string }) {
  const [draft, setDraft] = useState(EMPTY);
  const [made, setMade] = useState<Schemas["IssuedWebhook"] | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { attempt, submit } = useFormSubmission(async () => {
    const { data } = await api.POST(WEBHOOKS, {
      body: {
        institutionId,
        url: draft.url.trim(),
        description: draft.description.trim() || null,
        eventTypes: draft.eventTypes,
        enabled: true,
      },
    });
    if (data) setMade(data);
    await queries.invalidateQueries({ queryKey: ["get", WEBHOOKS] });
  });
  return (
    <Form attempt={attempt} submit={submit}>
      <UnsavedGuard when={made === null && draft !== EMPTY} />
      <Section title={t`Endpoint and events`}>
        <Stack sx={{ gap: 2.5 }}>
          <WebhookFields draft={draft} onDraft={setDraft} />
          <FormProblem />
          <Stack direction="row" sx={{ gap: 1 }}>
            <SubmitButton disabled={made !== null}>{t`Create webhook`}</SubmitButton>
            <Button component={Link} to={settingsPath(institutionId, "webhooks")}>
              {t`Cancel`}
            </Button>
          </Stack>
        </Stack>
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
