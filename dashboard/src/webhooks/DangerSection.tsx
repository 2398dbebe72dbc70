import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Section } from "../ui/Section";
import { useWebhookActs } from "./useWebhookActs";
import { nameOf, WEBHOOK, WEBHOOKS } from "./webhook";

interface EndProps {
  webhook: Webhook;
  onClose: () => void;
}

function Disable({ webhook, onClose }: EndProps) {
  const { refresh } = useWebhookActs(webhook);
  const notify = useNotify();
  const disable = async () => {
    const params = { path: { webhookId: webhook.id } };
    await api.PUT(WEBHOOK, { params, body: { enabled: false } });
    await refresh();
    notify("The webhook is disabled. Nothing is sent to it.");
  };
  return (
    <ConfirmDialog
      title="Disable the webhook"
      consequence="Nothing is sent to it any more, and what waits to be sent is given up. It can be enabled again, but events from the time in between are not made up for."
      action="Disable webhook"
      onConfirm={disable}
      onClose={onClose}
    />
  );
}

function Delete({ webhook, onClose }: EndProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const remove = async () => {
    await api.DELETE(WEBHOOK, { params: { path: { webhookId: webhook.id } } });
    notify("The webhook is deleted.");
    await navigate("/webhooks");
    await queries.invalidateQueries({ queryKey: ["get", WEBHOOKS] });
  };
  return (
    <ConfirmDialog
      title="Delete the webhook"
      consequence={`“${nameOf(webhook)}” is deleted with its secret and the record of its deliveries. Nothing is sent to it any more. This cannot be undone.`}
      action="Delete webhook"
      danger
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Turning a webhook off, for a while or for good. */
export function DangerSection({ webhook }: { webhook: Webhook }) {
  const [asked, setAsked] = useState<"disable" | "delete" | null>(null);
  const onClose = () => {
    setAsked(null);
  };
  return (
    <Section title="Turn off or delete">
      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: 720 }}>
        {webhook.enabled
          ? "Disable it while its receiver is away for long. Delete it when nobody needs it."
          : "It is disabled: nothing is sent to it. Delete it when nobody needs it."}
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
