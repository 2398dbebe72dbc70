import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";

export type Connector = Schemas["Connector"];
export type ConnectorKind = Schemas["ConnectorKind"];
export type ShopEvent = Schemas["ConnectorEvent"];

export const CONNECTORS = "/api/connectors";
export const CONNECTOR = "/api/connectors/{connectorId}";
export const CONNECTOR_EVENTS = "/api/connectors/{connectorId}/events";

export const EVENT_STATUSES = [
  "Pending",
  "Processed",
  "Ignored",
  "Failed",
] as const satisfies readonly Schemas["InboxEventStatus"][];

export const pathOf = (connectorId: string) => ({ path: { connectorId } });

/** The name of a kind of shop. */
export const KIND_LABELS: Record<ConnectorKind, string> = {
  Stripe: "Stripe",
  Paddle: "Paddle Billing",
  LemonSqueezy: "Lemon Squeezy",
  Generic: t`Any other shop`,
};

/** Until when the former signing secret is valid; null if there is none any more. */
export const overlapEnd = ({ previousSecretUntil: until }: Connector): string | null =>
  until !== null && new Date(until).getTime() > Date.now() ? until : null;
