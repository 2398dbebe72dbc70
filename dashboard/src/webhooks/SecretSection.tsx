import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { ReceiverSnippet } from "./ReceiverSnippet";
import { useWebhookActions } from "./useWebhookActions";
import { hostOf } from "./webhook";

/** Rotates the signing secret, which cannot be viewed again. */
export function SecretSection({ webhook }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { refresh } = useWebhookActions(webhook);
  const rotate = async () => {
    const { data } = await api.POST("/api/webhooks/{webhookId}/rotate-secret", {
      params: { path: { webhookId: webhook.id } },
    });
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
