import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import { CONNECTORS } from "../../sales/connector";
import { AddIcon, ConnectorIcon, PersonIcon, WebhookIcon } from "../../ui/icons";
import { ROLE_LABELS } from "../../ui/labels";
import { useCan, useInstitution, useIsShutOut } from "../../ui/useInstitution";
import { hostOf, nameOf, WEBHOOKS } from "../../webhooks/webhook";
import type { Offer } from "./found";

const MOST = 100;
const A_MINUTE = { staleTime: 60_000 };

/** What an institution has a few of, and what can be done to it. */
interface Named {
  members: Offer[];
  webhooks: Offer[];
  connectors: Offer[];
  /** A rule is created in a connector. */
  rules: Offer[];
  isFetching: boolean;
}

/** The first hundred members, webhooks and connectors, asked for once something `isTyped`. */
export function useNamed(isTyped: boolean): Named {
  const { institutionId } = useInstitution();
  const { manage, role } = useCan();
  const isShutOut = useIsShutOut();
  const isAsked = isTyped && Boolean(institutionId) && !isShutOut;
  const query = { institutionId: institutionId ?? null, pageSize: MOST };
  const managed = { ...A_MINUTE, enabled: isAsked && manage };
  const members = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/members",
    { params: { path: { institutionId: institutionId ?? "" }, query: { pageSize: MOST } } },
    { ...A_MINUTE, enabled: isAsked && (manage || role !== null) },
  );
  const webhooks = $api.useQuery("get", WEBHOOKS, { params: { query } }, managed);
  const connectors = $api.useQuery("get", CONNECTORS, { params: { query } }, managed);
  const shops = connectors.data?.items ?? [];
  return {
    members: (members.data?.items ?? []).map(({ userId, fullName, email, role }) => ({
      key: `member ${userId}`,
      label: fullName,
      detail: [email, ROLE_LABELS[role]].join(" · "),
      kind: "Member",
      icon: PersonIcon,
      emblem: { kind: "person", name: fullName },
      to: `/settings/team?search=${encodeURIComponent(email)}`,
    })),
    webhooks: (webhooks.data?.items ?? []).map((webhook) => ({
      key: webhook.id,
      label: nameOf(webhook),
      detail: hostOf(webhook.url),
      kind: "Webhook",
      icon: WebhookIcon,
      to: `/webhooks/${webhook.id}`,
    })),
    connectors: shops.map(({ id, name }) => ({
      key: id,
      label: name,
      kind: "Connector",
      icon: ConnectorIcon,
      to: `/connectors/${id}`,
    })),
    rules: shops.map(({ id, name }) => ({
      key: `rules ${id}`,
      label: t`Create rule: ${{ name }}`,
      kind: "Action",
      icon: AddIcon,
      to: `/connectors/${id}/rules?act=add`,
      words: t`new add`,
    })),
    isFetching: [members, webhooks, connectors].some((one) => one.isFetching),
  };
}
