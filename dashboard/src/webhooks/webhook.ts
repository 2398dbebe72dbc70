import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, at } from "../api/client";
import { chosen, fieldsOf, OPTIONAL_TEXT, TEXT, type DraftOf } from "../api/fields";
import { asProblem } from "../api/problem";
import type { Schemas, Webhook } from "../api/types";
import { eventLink } from "../ui/events";
import { number } from "../ui/formats";
import { notify } from "../ui/toasts/toasts";
import { listKey } from "../ui/list/useList";
import { ALL, type EventType } from "./eventTypes";

export type Delivery = Schemas["WebhookDelivery"];

export const WEBHOOKS = "/api/webhooks";
export const WEBHOOK = "/api/webhooks/{webhookId}";

/** The event types in order, so that the same choice is no change. */
export const FIELDS = fieldsOf({
  url: TEXT,
  description: OPTIONAL_TEXT,
  includeKeys: chosen(false),
  eventTypes: {
    ...chosen<EventType[]>(),
    read: (types?: readonly EventType[]): EventType[] => types?.toSorted() ?? [ALL],
  },
});

export type WebhookDraft = DraftOf<typeof FIELDS>;

/** Maximum number of delivery attempts. */
export const ATTEMPTS = 10;

/** The host of a URL; the URL itself if it is invalid. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** Display name of a webhook: its description or its host. */
export const nameOf = ({ description, url }: Webhook): string =>
  description?.trim() ? description : hostOf(url);

/** Why a webhook is disabled, in a sentence; null if it is enabled. */
export function reasonOf({ enabled, disabledReason }: Webhook): string | null {
  if (enabled) return null;
  if (disabledReason === "Gone")
    return t`The receiver responded 410 Gone, which means that it no longer wants events.`;
  if (disabledReason === "Failing") return t`All deliveries failed for five days.`;
  return t`It was disabled manually.`;
}

/** The status; "Retrying" if an attempt has failed and another one is due. */
export const stateOf = ({ status, attempts }: Delivery): string =>
  status === "Pending" && attempts > 0 ? "Retrying" : status;

/** Fields of events that name what happened to it, and who has it; the first one counts. */
const NAMES = ["licenseName", "deviceName", "name", "version"];
const PEOPLE = ["customerName", "issuedTo", "recipient", "email"];

/** What an event is about: "Render farm · ops@harbor.example"; null if its data names nothing. */
export function subjectOf({ payload }: Delivery): string | null {
  const data = (payload["data"] ?? {}) as Readonly<Record<string, unknown>>;
  const first = (fields: readonly string[]) =>
    fields.map((field) => data[field]).find((value) => typeof value === "string" && value !== "");
  const order = data["externalId"];
  const thing = typeof order === "string" ? t`Order ${order}` : first(NAMES);
  const parts = [thing, first(PEOPLE)].filter((part) => part !== undefined);
  return parts.length === 0 ? null : [...new Set(parts)].join(" · ");
}

/** The page of what an event is about; null if it has none. */
export function subjectPath({ eventType, payload }: Delivery, { institutionId }: Webhook) {
  const data = (payload["data"] ?? {}) as Readonly<Record<string, unknown>>;
  const text = (field: string) => (typeof data[field] === "string" ? data[field] : null);
  const subjectId = text("id");
  if (subjectId === null) return null;
  return eventLink({
    kind: eventType,
    institutionId,
    subjectId,
    productId: text("productId"),
    data,
  });
}

/** How long the last attempt took; null before it. */
export const durationOf = ({ durationMs }: Delivery): string | null =>
  durationMs === null ? null : t`${{ duration: number(durationMs) }} ms`;

/** The last response in a word or two; null before the first attempt. */
export function responseOf({ lastResponseStatus, lastError }: Delivery): string | null {
  if (lastResponseStatus !== null) return `HTTP ${String(lastResponseStatus)}`;
  return lastError === null ? null : t`No response`;
}

/** The path of the list of deliveries. */
export const deliveriesOf = (webhookId: string) => `webhooks/${webhookId}/deliveries`;

const ASKED_EVERY_MS = 1_000;
/** Longer than an attempt may take; the list of deliveries tells of what comes later. */
const ASKED_TIMES = 30;

/** Waits for the answer to a delivery, and says it; null if there is none yet. */
async function answerTo(webhook: Webhook, deliveryId: string): Promise<string | null> {
  const host = hostOf(webhook.url);
  const params = { path: { webhookId: webhook.id }, query: { sort: "-createdAt", pageSize: 25 } };
  for (let time = 0; time < ASKED_TIMES; time += 1) {
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
    const { data } = await api.GET("/api/webhooks/{webhookId}/deliveries", { params });
    const delivery = data?.items.find(({ id }) => id === deliveryId);
    const code = delivery?.lastResponseStatus ?? null;
    if (delivery?.status === "Delivered") return t`${host} accepted the test event.`;
    if (code !== null) return t`${host} rejected the test event with HTTP ${code}.`;
    if (delivery && delivery.lastError !== null) return t`${host} did not respond.`;
  }
  return null;
}

/** Actions on a webhook, which show their result as a notification. */
export function useWebhookActions(webhook: Webhook) {
  const queries = useQueryClient();
  return useMemo(() => {
    const { id } = webhook;
    const params = { path: { webhookId: id } };
    const refresh = () =>
      Promise.all(
        [["get", WEBHOOKS], ["get", WEBHOOK], listKey(deliveriesOf(id))].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
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
      sendTest: async () => {
        try {
          const { data } = await api.POST("/api/webhooks/{webhookId}/test", { params });
          await refresh();
          const answer = data && (await answerTo(webhook, data.id));
          notify(answer ?? t`Test event sent. There is no response yet.`);
        } catch (error) {
          notify(asProblem(error).message, { type: "error" });
        }
        await refresh();
      },
      enable: () =>
        done(
          api.PUT(WEBHOOK, { params, body: { enabled: true } }),
          t`Webhook enabled. It receives events from now on.`,
        ),
      replay: (deliveryId: string) =>
        done(
          api.POST("/api/webhook-deliveries/{deliveryId}/replay", at({ deliveryId })),
          t`Event replayed as a new delivery.`,
        ),
    };
  }, [queries, webhook]);
}
