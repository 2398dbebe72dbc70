import type { Schemas, Webhook } from "../api/types";

export type Delivery = Schemas["DeliveryView"];

export const WEBHOOKS = "/api/webhooks";
export const WEBHOOK = "/api/webhooks/{webhookId}";
export const DELIVERIES = "/api/webhooks/{webhookId}/deliveries";

/** How often an event is tried. */
export const ATTEMPTS = 10;

/** The host of an address, which names it shortly. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** What a webhook is called: as somebody described it, or by its host. */
export const nameOf = ({ description, url }: Webhook): string =>
  description?.trim() ? description : hostOf(url);

/** Why a webhook is off, in a sentence; null while it is on. */
export function reasonOf({ enabled, disabledReason }: Webhook): string | null {
  if (enabled) return null;
  if (disabledReason === "Gone")
    return "Its receiver answered 410 Gone, which means that it wants no more events.";
  if (disabledReason === "Failing") return "Every delivery failed for five days.";
  return "Somebody turned it off.";
}

/** "Retrying" where an attempt has failed and another one is due. */
export const stateOf = ({ status, attempts }: Delivery): string =>
  status === "Pending" && attempts > 0 ? "Retrying" : status;

/** What the receiver answered last, in a word or two; null before the first attempt. */
export function answerOf({ lastResponseStatus, lastError }: Delivery): string | null {
  if (lastResponseStatus !== null) return `HTTP ${String(lastResponseStatus)}`;
  return lastError === null ? null : "No answer";
}
