import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { ReceiverSnippet } from "./ReceiverSnippet";
import { useWebhookActs } from "./useWebhookActs";
import { hostOf } from "./webhook";

/** The secret that events are signed with, which can only be replaced. */
export function SecretSection({ webhook }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { refresh } = useWebhookActs(webhook);
  const rotate = async () => {
    const { data } = await api.POST("/api/webhooks/{webhookId}/rotate-secret", {
      params: { path: { webhookId: webhook.id } },
    });
    if (data) setSecret(data.secret);
    await refresh();
  };
  return (
    <Section
      title="Signing secret"
      help="webhooks"
      subtitle="Each event is signed with it, so that the receiver can tell that it comes from here. It was shown when the webhook was made, and cannot be read again."
    >
      <Button
        variant="outlined"
        onClick={() => {
          setAsking(true);
        }}
      >
        Rotate secret
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Rotate the signing secret"
          consequence="A new secret is made and shown once. For 24 hours each event is signed with both, so that you can change the receiver at leisure; after that, with the new one alone. Rotating again within that time ends the oldest secret at once."
          action="Rotate secret"
          onConfirm={rotate}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
      {secret !== null && !isAsking && (
        <SecretDialog
          title="The new signing secret"
          label="Signing secret"
          secret={secret}
          fileName={`webhook-${hostOf(webhook.url).replace(/[^\w.-]/g, "-")}.txt`}
          onClose={() => {
            setSecret(null);
          }}
        >
          <ReceiverSnippet secret={secret} />
        </SecretDialog>
      )}
    </Section>
  );
}
