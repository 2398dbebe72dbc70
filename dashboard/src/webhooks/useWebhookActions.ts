import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "../api/client";
import { asProblem } from "../api/problem";
import type { Webhook } from "../api/types";
import { DELIVERIES, WEBHOOK, WEBHOOKS } from "./webhook";
import { notify } from "../ui/toasts/toasts";

/** Actions on a webhook, which show their result as a notification. */
export function useWebhookActions({ id }: Webhook) {
  const queries = useQueryClient();
  return useMemo(() => {
    const params = { path: { webhookId: id } };
    const refresh = () =>
      Promise.all(
        [WEBHOOKS, WEBHOOK, DELIVERIES].map((path) =>
          queries.invalidateQueries({ queryKey: ["get", path] }),
        ),
      );
    const done = async (act: Promise<unknown>, sentence: string) => {
      try {
        await act;
        notify(sentence);
      } catch (error) {
        notify(asProblem(error).message, { type: "error" });
      }
      await refresh();
    };
    return {
      refresh,
      sendTest: () =>
        done(
          api.POST("/api/webhooks/{webhookId}/test", { params }),
          t`Test event sent. It is the first delivery in the list.`,
        ),
      enable: () =>
        done(
          api.PUT(WEBHOOK, { params, body: { enabled: true } }),
          t`Webhook enabled. It receives events from now on.`,
        ),
      replay: (deliveryId: string) =>
        done(
          api.POST("/api/webhook-deliveries/{deliveryId}/replay", {
            params: { path: { deliveryId } },
          }),
          t`Event replayed as a new delivery.`,
        ),
    };
  }, [queries, id]);
}
