import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { listKey } from "../ui/list/useList";
import { notify } from "../ui/toasts/toasts";
import type { SaleRule } from "./rules/rule";

export type Connector = Schemas["Connector"];
export type ConnectorKind = Schemas["ConnectorKind"];
export type ShopEvent = Schemas["ConnectorEvent"];

export const CONNECTORS = "/api/connectors";
export const CONNECTOR = "/api/connectors/{connectorId}";

export const EVENT_STATUSES = [
  "Pending",
  "Processed",
  "Ignored",
  "Failed",
] as const satisfies readonly Schemas["InboxEventStatus"][];

export const pathOf = (connectorId: string) => ({ path: { connectorId } });

/** The name of a kind of shop, to choose from. */
export const KIND_LABELS: Record<ConnectorKind, string> = {
  Stripe: "Stripe",
  Paddle: "Paddle Billing",
  LemonSqueezy: "Lemon Squeezy",
  Generic: t`Any other shop`,
};

/** What a shop of a kind is: who makes it, or how it tells of its sales. */
export const shopText = (kind: ConnectorKind): string =>
  kind === "Generic" ? t`Own shop (Standard Webhooks)` : KIND_LABELS[kind];

/** Until when the former signing secret is valid; null if there is none any more. */
export const overlapEnd = ({ previousSecretUntil: until }: Connector): string | null =>
  until !== null && new Date(until).getTime() > Date.now() ? until : null;

/** What can be done with a connector; each action tells of its success. */
export function useConnectorActions({ id }: Connector) {
  const queries = useQueryClient();
  const params = pathOf(id);
  const done = async (sentence: string) => {
    await Promise.all(
      [["get", CONNECTOR], listKey("connectors")].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
    notify(sentence, { type: "success" });
  };
  const change = async (body: Schemas["ConnectorChange"], sentence: string) => {
    await api.PUT(CONNECTOR, { params, body });
    await done(sentence);
  };
  return {
    done,
    change,
    addRule: async (rule: SaleRule) => {
      await api.POST("/api/connectors/{connectorId}/rules", { params, body: rule });
      await done(t`Rule created. The orders that waited for it are being processed.`);
    },
  };
}
