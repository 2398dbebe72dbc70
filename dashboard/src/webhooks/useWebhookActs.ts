import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useMemo } from "react";
import { api } from "../api/client";
import { asProblem } from "../api/problem";
import type { Webhook } from "../api/types";
import { DELIVERIES, WEBHOOK, WEBHOOKS } from "./webhook";

/** What can be done to a webhook at once; each says how it went. */
export function useWebhookActs({ id }: Webhook) {
  const queries = useQueryClient();
  const notify = useNotify();
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
          "A test event is on its way. It stands first among the deliveries.",
        ),
      enable: () =>
        done(
          api.PUT(WEBHOOK, { params, body: { enabled: true } }),
          "The webhook is enabled. It is sent what happens from now on.",
        ),
      replay: (deliveryId: string) =>
        done(
          api.POST("/api/webhook-deliveries/{deliveryId}/replay", {
            params: { path: { deliveryId } },
          }),
          "The event is sent once more, as a new delivery.",
        ),
    };
  }, [queries, notify, id]);
}
