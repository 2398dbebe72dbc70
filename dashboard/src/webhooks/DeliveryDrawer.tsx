import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { ReplayIcon } from "../ui/icons";
import type { Webhook } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { eventWords } from "../ui/events";
import { DescriptionList } from "../ui/DescriptionList";
import { DetailsDrawer } from "../ui/DetailsDrawer";
import { dateTime } from "../ui/formats";
import { Column } from "../ui/layout/layout";
import { StatusChip } from "../ui/StatusChip";
import { RelativeTime } from "../ui/RelativeTime";
import { useWebhookActions } from "./useWebhookActions";
import { ATTEMPTS, durationOf, responseOf, stateOf, type Delivery } from "./webhook";
import styles from "./webhooks.module.css";

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
      <Typography variant="body2" color="textSecondary" className={styles.grows}>
        {why ?? t`Sends the event again as a new delivery with the same webhook-id.`}
      </Typography>
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
export const DeliveryDrawer = (props: DeliveryDrawerProps) => (
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
