import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api, at } from "../../api/client";
import { asProblem } from "../../api/problem";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { DetailsDrawer } from "../../ui/DetailsDrawer";
import { dateTime, money } from "../../ui/formats";
import { ReplayIcon } from "../../ui/icons";
import { Fill } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { StatusChip } from "../../ui/StatusChip";
import { Opens, TwoLines } from "../../ui/table/cells";
import type { Column } from "../../ui/table/Row";
import { Table } from "../../ui/table/Table";
import { notify } from "../../ui/toasts/toasts";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { ShopEvent } from "../connector";
import { wordsOf } from "./words";

/** The order that the event is about, and whose it is. */
const ORDER: Column<ShopEvent> = {
  key: "orderId",
  label: t`Order`,
  short: "first",
  cell: ({ orderId, orderNumber, customerName }) =>
    orderId && (
      <TwoLines second={customerName && <bdi>{customerName}</bdi>}>
        <PageLink to={`/orders/${orderId}`}>{orderNumber ?? t`New order`}</PageLink>
      </TwoLines>
    ),
};

const AMOUNT: Column<ShopEvent> = {
  key: "amount",
  label: t`Amount`,
  align: "end",
  fits: true,
  isRare: true,
  short: "first",
  cell: ({ amount, currency }) => amount !== null && currency !== null && money(amount, currency),
};

/** The code of the shop, unless it stands in place of words, and why it could not be read. */
const detailOf = ({ type, error }: ShopEvent) =>
  [wordsOf(type) !== type && type, error].filter(Boolean).join(" · ");

interface EventTableProps {
  isOfOrder: boolean;
  onOpen: (event: ShopEvent) => void;
}

/** The events of the surrounding list. */
export const EventTable = ({ isOfOrder, onOpen }: EventTableProps) => (
  <Table<ShopEvent>
    label={t`Events`}
    none={t`No event has this status.`}
    onOpen={onOpen}
    columns={[
      {
        key: "type",
        label: t`Event`,
        cell: (event) => (
          <TwoLines second={detailOf(event)}>
            <Opens onOpen={() => onOpen(event)}>{wordsOf(event.type)}</Opens>
          </TwoLines>
        ),
      },
      { key: "status", label: t`Status`, as: "status" },
      !isOfOrder && ORDER,
      AMOUNT,
      { key: "occurredAt", label: t`Happened`, fits: true, short: "left out", as: "dateTime" },
      { key: "receivedAt", label: t`Received`, sort: true, fits: true, as: "dateTime" },
    ]}
  />
);

interface EventDrawerProps {
  event: ShopEvent;
  onClose: () => void;
}

/** The text of an event, indented if it can be read. */
function shownText(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

/** An event of a shop: what it says, why it could not be read, and replay. */
export const EventDrawer = ({ event, onClose }: EventDrawerProps) => (
  <DetailsDrawer
    title={wordsOf(event.type)}
    mark={<StatusChip status={event.status} />}
    footer={<Replay event={event} onClose={onClose} />}
    onClose={onClose}
  >
    {event.error && <Alert severity="error">{event.error}</Alert>}
    {event.status === "Ignored" && (
      <Alert severity="info">{t`This event says nothing about an order.`}</Alert>
    )}
    <DescriptionList
      facts={[
        [
          t`Order`,
          event.orderId && (
            <PageLink key="order" to={`/orders/${event.orderId}`}>
              {event.orderNumber ?? t`New order`}
            </PageLink>
          ),
        ],
        [t`Customer`, event.customerName],
        [
          t`Amount`,
          event.amount !== null && event.currency !== null && money(event.amount, event.currency),
        ],
        [t`Type`, <code key="type">{event.type}</code>],
        [t`Happened`, event.occurredAt && dateTime(event.occurredAt)],
        [t`Received`, dateTime(event.receivedAt)],
        [t`ID in the shop`, <code key="id">{event.externalId}</code>],
      ]}
    />
    {event.payload ? (
      <CopyField label={t`Text of the event`} value={shownText(event.payload)} block />
    ) : (
      <Typography color="textSecondary">
        {t`The text of an event is deleted after 90 days. What it says about its order is kept.`}
      </Typography>
    )}
  </DetailsDrawer>
);

function Replay({ event, onClose }: EventDrawerProps) {
  const [busy, setBusy] = useState(false);
  const notifyChanged = useNotifyChanged();
  const isPending = event.status === "Pending";
  const replay = async () => {
    setBusy(true);
    try {
      await api.POST("/api/connector-events/{eventId}/replay", at({ eventId: event.id }));
      notifyChanged(t`Event queued for reprocessing.`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    onClose();
  };
  return (
    <>
      <Fill>
        <Muted>
          {isPending
            ? t`The event is processed within seconds.`
            : t`Processes the event and its order again. No license is issued twice.`}
        </Muted>
      </Fill>
      <Button
        variant="contained"
        startIcon={<ReplayIcon />}
        loading={busy}
        disabled={isPending}
        onClick={() => void replay()}
      >
        {t({ message: "Replay", context: "event of a shop" })}
      </Button>
    </>
  );
}
