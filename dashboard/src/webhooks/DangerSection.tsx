import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../api/client";
import type { Webhook } from "../api/types";
import { DisableOrDelete } from "../ui/DisableOrDelete";
import { settingsPath } from "../ui/settingsPath";
import { notify } from "../ui/toasts/toasts";
import { useWebhookActions } from "./useWebhookActions";
import { nameOf, WEBHOOK, WEBHOOKS } from "./webhook";

/** Disables or deletes a webhook. */
export function DangerSection({ webhook }: { webhook: Webhook }) {
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
