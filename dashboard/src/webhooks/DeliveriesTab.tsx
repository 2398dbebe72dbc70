import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { $api } from "../api/client";
import type { Schemas, Webhook } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Row } from "../ui/layout/layout";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { statusWords } from "../ui/status";
import { DeliveryDrawer } from "./DeliveryDrawer";
import { DeliveryTable } from "./DeliveryTable";
import { DELIVERIES, type Delivery } from "./webhook";
import styles from "./webhooks.module.css";

const PAGE_SIZE = 25;
const SOON_MS = 60_000;

type Status = Schemas["WebhookDeliveryStatus"];

const STATUSES = ["Pending", "Delivered", "Failed"] as const satisfies readonly Status[];

/** Refetch interval: shorter while an attempt is due soon. */
function refetchIntervalOf(items: readonly Delivery[] = []): number {
  const isNear = items.some(
    ({ status, nextAttemptAt }) =>
      status === "Pending" && new Date(nextAttemptAt ?? 0).getTime() < Date.now() + SOON_MS,
  );
  return isNear ? 2_000 : 5_000;
}

function useStatusFilter() {
  const [search, setSearch] = useSearchParams();
  const status = STATUSES.find((known) => known === search.get("status"));
  return {
    status,
    choose: (chosen: string | null) => {
      if (chosen !== null) setSearch(chosen ? { status: chosen } : {});
    },
  };
}

const NONE: Record<Status, string> = {
  Pending: t`No pending deliveries`,
  Delivered: t`No delivered deliveries`,
  Failed: t`No failed deliveries`,
};

const Nothing = ({ status, isOn }: { status: Status | undefined; isOn: boolean }) =>
  status ? (
    <EmptyState title={NONE[status]}>
      {t`Choose another status to see other deliveries.`}
    </EmptyState>
  ) : (
    <EmptyState title={t`No deliveries yet`}>
      {isOn
        ? t`The next matching event appears here within a second. Send a test event to check that the receiver accepts it.`
        : t`The webhook is disabled. Enable it to send events.`}
    </EmptyState>
  );

/** The deliveries of a webhook, newest first. The status filter is stored in the URL. */
export function DeliveriesTab({ webhook }: { webhook: Webhook }) {
  const { status, choose } = useStatusFilter();
  const page = usePageNumber();
  const [opened, setOpened] = useState<Delivery | null>(null);
  const query = { page, pageSize: PAGE_SIZE, ...(status && { status }) };
  const { data, error, refetch } = $api.useQuery(
    "get",
    DELIVERIES,
    { params: { path: { webhookId: webhook.id }, query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.error ? false : refetchIntervalOf(state.data?.items)),
    },
  );
  const items = data?.items;
  return (
    <>
      <Row gap="m" wraps className={styles.filter}>
        <ToggleButtonGroup
          exclusive
          value={status ?? ""}
          aria-label={t`Status`}
          onChange={(_, chosen: string | null) => choose(chosen)}
        >
          <ToggleButton value="">{t`All`}</ToggleButton>
          {STATUSES.map((known) => (
            <ToggleButton key={known} value={known}>
              {statusWords(known)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <Typography variant="body2" color="textSecondary">
          {t`Kept for 30 days`}
        </Typography>
      </Row>
      {error ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : (
        <Card>
          {items?.length === 0 ? (
            <Nothing status={status} isOn={webhook.enabled} />
          ) : (
            <DeliveryTable deliveries={items} onOpen={setOpened} />
          )}
        </Card>
      )}
      <Pages total={data?.totalCount} pageSize={PAGE_SIZE} label={t`Deliveries`} />
      {opened && (
        <DeliveryDrawer
          // The latest data, if the delivery is still on the page.
          delivery={items?.find(({ id }) => id === opened.id) ?? opened}
          webhook={webhook}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
