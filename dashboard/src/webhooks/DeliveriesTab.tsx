import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import type { Schemas, Webhook } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { DetailsDrawer } from "../ui/DetailsDrawer";
import { EmptyState } from "../ui/EmptyState";
import { eventWords } from "../ui/events";
import { dateTime, number } from "../ui/formats";
import { ReplayIcon } from "../ui/icons";
import { Column } from "../ui/layout/layout";
import { DataList } from "../ui/list/DataList";
import { statusKind } from "../ui/list/filters/filter";
import { SearchFilter } from "../ui/list/SearchFilter";
import { useListContext } from "../ui/list/useList";
import { statusViews } from "../ui/list/views/view";
import { Muted } from "../ui/Muted";
import { PageLink } from "../ui/PageLink";
import { RelativeTime } from "../ui/RelativeTime";
import { StatusChip } from "../ui/StatusChip";
import { Opens, TwoLines } from "../ui/table/cells";
import { Table } from "../ui/table/Table";
import {
  ATTEMPTS,
  type Delivery,
  deliveriesOf,
  durationOf,
  responseOf,
  stateOf,
  subjectOf,
  subjectPath,
  useWebhookActions,
} from "./webhook";
import styles from "./webhooks.module.css";

const SOON_MS = 60_000;

type Status = Schemas["WebhookDeliveryStatus"];

const STATUSES = ["Pending", "Delivered", "Failed"] as const satisfies readonly Status[];

const NEWEST_FIRST = "-createdAt";
const KINDS = [statusKind(STATUSES)];
const VIEWS = statusViews(STATUSES, NEWEST_FIRST);

/** Shorter while an attempt is due soon. */
function refetchIntervalOf(items: readonly unknown[]): number {
  const isNear = (items as readonly Delivery[]).some(
    ({ status, nextAttemptAt }) =>
      status === "Pending" && new Date(nextAttemptAt ?? 0).getTime() < Date.now() + SOON_MS,
  );
  return isNear ? 2_000 : 5_000;
}

const NoDeliveries = ({ webhook }: { webhook: Webhook }) => (
  <EmptyState title={t`No deliveries yet`}>
    {webhook.enabled
      ? t`The next matching event appears here within a second. Send a test event to check that the receiver accepts it.`
      : t`The webhook is disabled. Enable it to send events.`}
  </EmptyState>
);

/** The deliveries of a webhook, newest first. */
export const DeliveriesTab = ({ webhook }: { webhook: Webhook }) => (
  <DataList
    path={deliveriesOf(webhook.id)}
    filterNames={["search", "status"]}
    sort={NEWEST_FIRST}
    views="Deliveries"
    builtInViews={VIEWS}
    refetchInterval={refetchIntervalOf}
    empty={<NoDeliveries webhook={webhook} />}
    hasCsv
    toolbar={<SearchFilter placeholder={t`License, email, key or event`} />}
    note={t`Kept for 30 days`}
    kinds={KINDS}
  >
    <DeliveryTable webhook={webhook} />
  </DataList>
);

/** Each delivery opens a drawer with its details. */
function DeliveryTable({ webhook }: { webhook: Webhook }) {
  const { items } = useListContext<Delivery>();
  const [opened, setOpened] = useState<Delivery | null>(null);
  return (
    <>
      <Table<Delivery>
        label={t`Deliveries`}
        onOpen={setOpened}
        columns={[
          {
            key: "eventType",
            label: t`Event`,
            cell: (delivery) => <Event delivery={delivery} onOpen={() => setOpened(delivery)} />,
          },
          {
            key: "status",
            width: 130,
            label: t`Status`,
            short: "beside",
            cell: (delivery) => <StatusChip status={stateOf(delivery)} />,
          },
          {
            key: "response",
            width: 120,
            label: t`Response`,
            short: "plain",
            cell: responseOf,
          },
          {
            key: "attempts",
            width: 150,
            label: t`Attempts`,
            sort: true,
            cell: (delivery) => <Attempts delivery={delivery} />,
          },
          { key: "duration", label: t`Duration`, width: 110, cell: durationOf },
          {
            key: "createdAt",
            label: t`Created`,
            width: 150,
            sort: true,
            short: "plain",
            as: "ago",
          },
        ]}
      />
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

const BEING_SENT = t`Being sent`;

const isAhead = (moment: string): boolean => new Date(moment) > new Date();

/** How often it was tried; of how many, and when again, only while it has not arrived. */
const Attempts = ({ delivery: { attempts, status, nextAttemptAt } }: { delivery: Delivery }) =>
  status === "Delivered" ? (
    number(attempts)
  ) : (
    <TwoLines
      second={
        nextAttemptAt &&
        (isAhead(nextAttemptAt) ? (
          <Trans>
            Next <RelativeTime at={nextAttemptAt} />
          </Trans>
        ) : (
          BEING_SENT
        ))
      }
    >
      {t`${attempts} of ${{ most: ATTEMPTS }}`}
    </TwoLines>
  );

interface EventProps {
  delivery: Delivery;
  onOpen: () => void;
}

const Event = ({ delivery, onOpen }: EventProps) => (
  <TwoLines second={subjectOf(delivery) ?? <code>{delivery.eventType}</code>}>
    <Opens onOpen={onOpen}>{eventWords(delivery.eventType)}</Opens>
  </TwoLines>
);

/** What the event is about, with the way to it. */
function Subject({ delivery, webhook }: Pick<DeliveryDrawerProps, "delivery" | "webhook">) {
  const to = subjectPath(delivery, webhook);
  const subject = subjectOf(delivery);
  return to && subject !== null ? <PageLink to={to}>{subject}</PageLink> : subject;
}

const factsOf = (delivery: Delivery, webhook: Webhook): [string, ReactNode][] => [
  [
    t`About`,
    subjectOf(delivery) !== null && <Subject key="about" delivery={delivery} webhook={webhook} />,
  ],
  [t`Event`, <code key="event">{delivery.eventType}</code>],
  [t`Created`, dateTime(delivery.createdAt)],
  [t`Attempts`, t`${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`],
  delivery.nextAttemptAt
    ? [
        t`Next attempt`,
        isAhead(delivery.nextAttemptAt) ? (
          <RelativeTime key="next" at={delivery.nextAttemptAt} />
        ) : (
          BEING_SENT
        ),
      ]
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
    <DescriptionList facts={factsOf(props.delivery, props.webhook)} />
    <LastResponse delivery={props.delivery} />
    <CopyField label={t`Payload`} value={JSON.stringify(props.delivery.payload, null, 2)} block />
    <CopyField label={t`webhook-id (the same for every attempt)`} value={props.delivery.eventId} />
  </DetailsDrawer>
);
