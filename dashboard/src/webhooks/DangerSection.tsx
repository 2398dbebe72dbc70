import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Section } from "../ui/Section";
import { useWebhookActions } from "./useWebhookActions";
import { nameOf, WEBHOOK, WEBHOOKS } from "./webhook";
import { notify } from "../ui/toasts/toasts";

interface ConfirmProps {
  webhook: Webhook;
  onClose: () => void;
}

function Disable({ webhook, onClose }: ConfirmProps) {
  const { refresh } = useWebhookActions(webhook);
  const disable = async () => {
    const params = { path: { webhookId: webhook.id } };
    await api.PUT(WEBHOOK, { params, body: { enabled: false } });
    await refresh();
    notify("Webhook disabled.");
  };
  return (
    <ConfirmDialog
      title="Disable webhook"
      consequence="No more events are sent to it, and pending deliveries are dropped. You can enable it again, but events that occur in the meantime are not delivered later."
      action="Disable webhook"
      onConfirm={disable}
      onClose={onClose}
    />
  );
}

function Delete({ webhook, onClose }: ConfirmProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE(WEBHOOK, { params: { path: { webhookId: webhook.id } } });
    notify("Webhook deleted.");
    await navigate("/webhooks");
    await queries.invalidateQueries({ queryKey: ["get", WEBHOOKS] });
  };
  return (
    <ConfirmDialog
      title="Delete webhook"
      consequence={`This deletes “${nameOf(webhook)}” with its secret and delivery history. No more events are sent to it. This cannot be undone.`}
      action="Delete webhook"
      danger
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Disables or deletes a webhook. */
export function DangerSection({ webhook }: { webhook: Webhook }) {
  const [asked, setAsked] = useState<"disable" | "delete" | null>(null);
  const onClose = () => {
    setAsked(null);
  };
  return (
    <Section title="Disable or delete">
      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: 720 }}>
        {webhook.enabled
          ? "Disable the webhook if its receiver will be down for a while. Delete it if you no longer need it."
          : "The webhook is disabled, so no events are sent to it. Delete it if you no longer need it."}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
        {webhook.enabled && (
          <Button
            variant="outlined"
            onClick={() => {
              setAsked("disable");
            }}
          >
            Disable webhook
          </Button>
        )}
        <Button
          variant="outlined"
          color="error"
          onClick={() => {
            setAsked("delete");
          }}
        >
          Delete webhook
        </Button>
      </Stack>
      {asked === "disable" && <Disable webhook={webhook} onClose={onClose} />}
      {asked === "delete" && <Delete webhook={webhook} onClose={onClose} />}
    </Section>
  );
}
