import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { changed } from "../api/fields";
import { WebhookChange } from "../api/checks";
import { $api, api, at } from "../api/client";
import type { Webhook } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { CopyButton } from "../ui/CopyButton";
import { DisableOrDelete } from "../ui/DisableOrDelete";
import { SaveForm } from "../ui/form/SaveForm";
import { useApiForm } from "../ui/form/useApiForm";
import { date } from "../ui/formats";
import { SendIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { Page } from "../ui/Page";
import { settingsPath } from "../ui/paths";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SkeletonRows } from "../ui/SkeletonRows";
import { RouteTabs } from "../ui/RouteTabs";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { notify } from "../ui/toasts/toasts";
import { useInstitution, useManagesAny } from "../ui/useInstitution";
import { DeliveriesTab } from "./DeliveriesTab";
import { NoWebhookAccess } from "./NoWebhookAccess";
import {
  FIELDS,
  hostOf,
  nameOf,
  reasonOf,
  useWebhookActions,
  WEBHOOK,
  type WebhookDraft,
  WEBHOOKS,
} from "./webhook";
import { faultsOf, ReceiverSnippet, WebhookFields } from "./WebhookFields";
import styles from "./webhooks.module.css";

const BACK = { to: "/settings/webhooks", label: t`Webhooks` };
/** Deliveries can change a webhook: a 410 response disables it. */
const REFRESHED_EVERY_MS = 5_000;

function WebhookLoader({ webhookId }: { webhookId: string }) {
  const { data, error, refetch } = $api.useQuery("get", WEBHOOK, at({ webhookId }), {
    refetchInterval: ({ state }) => (state.error ? false : REFRESHED_EVERY_MS),
  });
  if (data) return <WebhookView webhook={data} />;
  return (
    <Page title={t`Webhook`} help="webhooks" back={BACK}>
      {error ? <ProblemAlert error={error} retry={() => void refetch()} /> : <SkeletonRows />}
    </Page>
  );
}

export default function WebhookPage() {
  const { webhookId = "" } = useParams();
  const { institutionId } = useInstitution();
  const mayManage = useManagesAny();
  if (institutionId === undefined || !mayManage)
    return (
      <Page title={t`Webhook`} help="webhooks" back={BACK}>
        {institutionId !== undefined && <NoWebhookAccess />}
      </Page>
    );
  return <WebhookLoader key={webhookId} webhookId={webhookId} />;
}

function TestButton({ webhook }: { webhook: Webhook }) {
  const { sendTest } = useWebhookActions(webhook);
  const [busy, setBusy] = useState(false);
  return (
    <Button
      variant="outlined"
      startIcon={<SendIcon />}
      loading={busy}
      onClick={() => {
        setBusy(true);
        void sendTest().finally(() => setBusy(false));
      }}
    >
      {t`Send test event`}
    </Button>
  );
}

function DisabledAlert({ webhook }: { webhook: Webhook }) {
  const { enable } = useWebhookActions(webhook);
  const [busy, setBusy] = useState(false);
  return (
    <Alert
      severity="warning"
      className={styles.alert}
      action={
        <Button
          color="inherit"
          size="small"
          loading={busy}
          className={styles.enable}
          onClick={() => {
            setBusy(true);
            void enable().finally(() => setBusy(false));
          }}
        >
          {t`Enable webhook`}
        </Button>
      }
    >
      {webhook.disabledAt
        ? t`This webhook has been disabled since ${{ day: date(webhook.disabledAt) }}.`
        : t`This webhook has been disabled.`}{" "}
      {reasonOf(webhook)}{" "}
      {t`Fix the receiver before you enable it again; events that occur in the meantime are not delivered later.`}
    </Alert>
  );
}

const Address = ({ url }: { url: string }) => (
  <Row gap="xs">
    <code title={url} className={styles.line}>
      {url}
    </code>
    <CopyButton value={url} label={t`Copy URL`} />
  </Row>
);

/** A webhook with its deliveries and settings. */
const WebhookView = ({ webhook }: { webhook: Webhook }) => (
  <Page
    title={nameOf(webhook)}
    mark={<StatusChip status={webhook.enabled ? "Enabled" : "Disabled"} />}
    help="webhooks"
    back={{ to: settingsPath(webhook.institutionId, "webhooks"), label: t`Webhooks` }}
    subtitle={<Address url={webhook.url} />}
    actions={webhook.enabled && <TestButton webhook={webhook} />}
  >
    {!webhook.enabled && <DisabledAlert webhook={webhook} />}
    <RouteTabs
      base={`/webhooks/${webhook.id}`}
      label={t`Webhook`}
      tabs={[
        { path: "", label: t`Deliveries`, element: <DeliveriesTab webhook={webhook} /> },
        { path: "settings", label: t`Settings`, element: <SettingsTab webhook={webhook} /> },
      ]}
    />
  </Page>
);

function Details({ webhook }: { webhook: Webhook }) {
  const { refresh } = useWebhookActions(webhook);
  const values = FIELDS.draftOf(webhook);
  const save = async (draft: WebhookDraft) => {
    await api.PUT(WEBHOOK, {
      ...at({ webhookId: webhook.id }),
      body: changed(FIELDS.bodyOf(draft), FIELDS.bodyOf(values)),
    });
    await refresh();
    notify(t`Webhook saved.`);
  };
  const form = useApiForm({ values, checks: WebhookChange, validate: faultsOf, send: save });
  return (
    <Section title={t`Endpoint and events`}>
      <SaveForm form={form}>
        <WebhookFields form={form} />
      </SaveForm>
    </Section>
  );
}

/** Settings of a webhook: endpoint, events, signing secret, disable and delete. */
const SettingsTab = ({ webhook }: { webhook: Webhook }) => (
  <Column gap="l">
    <Details webhook={webhook} />
    <SecretSection webhook={webhook} />
    <DangerSection webhook={webhook} />
  </Column>
);

/** Rotates the signing secret, which cannot be viewed again. */
function SecretSection({ webhook }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { refresh } = useWebhookActions(webhook);
  const rotate = async () => {
    const { data } = await api.POST(
      "/api/webhooks/{webhookId}/rotate-secret",
      at({ webhookId: webhook.id }),
    );
    if (data) setSecret(data.secret);
    await refresh();
  };
  return (
    <Section
      title={t`Signing secret`}
      help="webhooks"
      subtitle={t`Events are signed with this secret so that the receiver can verify them. It was shown when the webhook was created and cannot be viewed again.`}
    >
      <Button variant="outlined" onClick={() => setAsking(true)}>
        {t`Rotate secret`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Rotate signing secret`}
          consequence={t`This creates a new secret and shows it once. For 24 hours, events are signed with both secrets so that you have time to update the receiver; after that, only with the new one. If you rotate again within that time, the oldest secret stops working immediately.`}
          action={t`Rotate secret`}
          onConfirm={rotate}
          onClose={() => setAsking(false)}
        />
      )}
      {secret !== null && !isAsking && (
        <SecretDialog
          title={t`New signing secret`}
          label={t`Signing secret`}
          secret={secret}
          fileName={`webhook-${hostOf(webhook.url).replace(/[^\w.-]/g, "-")}.txt`}
          onClose={() => setSecret(null)}
        >
          <ReceiverSnippet secret={secret} />
        </SecretDialog>
      )}
    </Section>
  );
}

/** Disables or deletes a webhook. */
function DangerSection({ webhook }: { webhook: Webhook }) {
  const { refresh } = useWebhookActions(webhook);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { webhookId: webhook.id } };
  const disable = async () => {
    await api.PUT(WEBHOOK, { params, body: { enabled: false } });
    await refresh();
    notify(t`Webhook disabled.`);
  };
  const remove = async () => {
    await api.DELETE(WEBHOOK, { params });
    notify(t`Webhook deleted.`);
    await navigate(settingsPath(webhook.institutionId, "webhooks"));
    await queries.invalidateQueries({ queryKey: ["get", WEBHOOKS] });
  };
  return (
    <DisableOrDelete
      advice={
        webhook.enabled
          ? t`Disable the webhook if its receiver will be down for a while. Delete it if you no longer need it.`
          : t`The webhook is disabled, so no events are sent to it. Delete it if you no longer need it.`
      }
      disable={
        webhook.enabled
          ? {
              label: t`Disable webhook`,
              consequence: t`No more events are sent to it, and pending deliveries are dropped. You can enable it again, but events that occur in the meantime are not delivered later.`,
              run: disable,
            }
          : undefined
      }
      remove={{
        label: t`Delete webhook`,
        consequence: t`This deletes “${{ name: nameOf(webhook) }}” with its secret and delivery history. No more events are sent to it. This cannot be undone.`,
        run: remove,
      }}
    />
  );
}
