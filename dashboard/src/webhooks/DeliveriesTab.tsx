import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { $api } from "../api/client";
import type { Schemas, Webhook } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { DetailsDrawer } from "../ui/DetailsDrawer";
import { EmptyState } from "../ui/EmptyState";
import { eventWords } from "../ui/events";
import { dateTime } from "../ui/formats";
import { ReplayIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RelativeTime } from "../ui/RelativeTime";
import { statusWords } from "../ui/status";
import { StatusChip } from "../ui/StatusChip";
import {
  ATTEMPTS,
  DELIVERIES,
  type Delivery,
  durationOf,
  responseOf,
  stateOf,
  useWebhookActions,
} from "./webhook";
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
        <Muted>{t`Kept for 30 days`}</Muted>
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

const COLUMNS = [t`Status`, t`Response`, t`Attempts`, t`Next attempt`, t`Duration`, t`Created`];

interface DeliveryTableProps {
  /** Undefined while loading. */
  deliveries: Delivery[] | undefined;
  onOpen: (delivery: Delivery) => void;
}

/** Summary of a delivery, for phones. */
const Compact = ({ delivery }: { delivery: Delivery }) => (
  <Row gap="s" wraps className={styles.compact}>
    <StatusChip status={stateOf(delivery)} />
    <Muted component="span">
      {[
        responseOf(delivery),
        t`attempt ${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`,
      ]
        .filter(Boolean)
        .join(" · ")}
    </Muted>
    <Muted component="span">
      <RelativeTime at={delivery.createdAt} />
    </Muted>
  </Row>
);

function DeliveryRow({
  delivery,
  onOpen,
}: {
  delivery: Delivery;
  onOpen: (delivery: Delivery) => void;
}) {
  return (
    <TableRow hover className={styles.opens}>
      <TableCell component="th" scope="row">
        <Link
          component="button"
          type="button"
          underline="hover"
          onClick={() => onOpen(delivery)}
          className={styles.opener}
        >
          {eventWords(delivery.eventType)}
        </Link>
        <Typography variant="caption" color="textSecondary" component="div">
          <code>{delivery.eventType}</code>
        </Typography>
        <Compact delivery={delivery} />
      </TableCell>
      <TableCell className={styles.wide}>
        <StatusChip status={stateOf(delivery)} />
      </TableCell>
      <TableCell className={styles.wide}>{responseOf(delivery) ?? "—"}</TableCell>
      <TableCell className={styles.wide}>
        {t`${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`}
      </TableCell>
      <TableCell className={styles.wide}>
        {delivery.nextAttemptAt ? <RelativeTime at={delivery.nextAttemptAt} /> : "—"}
      </TableCell>
      <TableCell className={styles.wide}>{durationOf(delivery) ?? "—"}</TableCell>
      <TableCell className={styles.wide}>
        <RelativeTime at={delivery.createdAt} />
      </TableCell>
    </TableRow>
  );
}

const Loading = () =>
  [0, 1, 2].map((place) => (
    <TableRow key={place}>
      <TableCell>
        <Skeleton width="70%" />
        <Skeleton width="40%" />
      </TableCell>
      {COLUMNS.map((name) => (
        <TableCell key={name} className={styles.wide}>
          <Skeleton width="70%" />
        </TableCell>
      ))}
    </TableRow>
  ));

/** A table of deliveries; each opens a drawer with its details. */
const DeliveryTable = ({ deliveries, onOpen }: DeliveryTableProps) => (
  <div className={styles.frame}>
    <Table aria-label={t`Deliveries`} aria-busy={!deliveries}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Event`}</TableCell>
          {COLUMNS.map((name) => (
            <TableCell key={name} className={styles.wide}>
              {name}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {deliveries?.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onOpen={onOpen} />
        )) ?? <Loading />}
      </TableBody>
    </Table>
  </div>
);

const factsOf = (delivery: Delivery): [string, ReactNode][] => [
  [t`Event`, <code key="event">{delivery.eventType}</code>],
  [t`Created`, dateTime(delivery.createdAt)],
  [t`Attempts`, t`${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`],
  delivery.nextAttemptAt
    ? [t`Next attempt`, <RelativeTime key="next" at={delivery.nextAttemptAt} />]
    : [t`Delivered`, delivery.deliveredAt && dateTime(delivery.deliveredAt)],
  [t`Last response`, responseOf(delivery)],
  [t`Duration`, durationOf(delivery)],
];

function LastResponse({ delivery }: { delivery: Delivery }) {
  const { lastError, lastResponseBody, status } = delivery;
  if (lastError === null && lastResponseBody === null) return null;
  return (
    <Column gap="m">
      {lastError !== null && (
        <Alert severity={status === "Failed" ? "error" : "warning"}>{lastError}</Alert>
      )}
      {lastResponseBody !== null && (
        <CopyField label={t`Start of the response body`} value={lastResponseBody} block />
      )}
    </Column>
  );
}

/** Why a delivery cannot be replayed now; null if it can. */
function replayBlocker(delivery: Delivery, webhook: Webhook): string | null {
  if (!webhook.enabled) return t`Enable the webhook to replay the event.`;
  if (delivery.status === "Pending")
    return t`Delivery is still in progress. You can replay the event once it is delivered or has failed.`;
  return null;
}

function Replay({ delivery, webhook, onClose }: DeliveryDrawerProps) {
  const { replay } = useWebhookActions(webhook);
  const [busy, setBusy] = useState(false);
  const why = replayBlocker(delivery, webhook);
  return (
    <>
      <Muted className={styles.grows}>
        {why ?? t`Sends the event again as a new delivery with the same webhook-id.`}
      </Muted>
      <Button
        variant="contained"
        startIcon={<ReplayIcon />}
        loading={busy}
        disabled={why !== null}
        onClick={() => {
          setBusy(true);
          void replay(delivery.id).finally(onClose);
        }}
      >
        {t`Replay`}
      </Button>
    </>
  );
}

interface DeliveryDrawerProps {
  delivery: Delivery;
  webhook: Webhook;
  onClose: () => void;
}

/** Details of a delivery: payload, response and replay. */
const DeliveryDrawer = (props: DeliveryDrawerProps) => (
  <DetailsDrawer
    title={eventWords(props.delivery.eventType)}
    mark={<StatusChip status={stateOf(props.delivery)} />}
    footer={<Replay {...props} />}
    onClose={props.onClose}
  >
    <DescriptionList facts={factsOf(props.delivery)} />
    <LastResponse delivery={props.delivery} />
    <CopyField label={t`Payload`} value={JSON.stringify(props.delivery.payload, null, 2)} block />
    <CopyField label={t`webhook-id (the same for every attempt)`} value={props.delivery.eventId} />
  </DetailsDrawer>
);
