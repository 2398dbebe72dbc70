import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { RelativeTime } from "../../ui/RelativeTime";
import { StatusChip } from "../../ui/StatusChip";
import type { Column } from "../../ui/table/column";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import type { ShopEvent } from "../connector";
import styles from "./events.module.css";

const ORDER: Column<ShopEvent> = {
  key: "orderId",
  label: t`Order`,
  from: "sm",
  cell: ({ orderId }) =>
    orderId ? (
      <Link component={RouterLink} to={`/orders/${orderId}`}>
        {t`Open order`}
      </Link>
    ) : (
      "—"
    ),
};

interface EventTableProps {
  isOfOrder: boolean;
  onOpen: (event: ShopEvent) => void;
}

/** The events of the surrounding list. */
export const EventTable = ({ isOfOrder, onOpen }: EventTableProps) => (
  <Table<ShopEvent>
    label={t`Events`}
    none={t`No event has this status.`}
    columns={[
      {
        key: "type",
        label: t`Event`,
        cell: (event) => (
          <TwoLines second={event.error}>
            <Link
              component="button"
              type="button"
              className={styles.type}
              onClick={() => onOpen(event)}
            >
              {event.type}
            </Link>
          </TwoLines>
        ),
      },
      { key: "status", label: t`Status`, cell: ({ status }) => <StatusChip status={status} /> },
      !isOfOrder && ORDER,
      {
        key: "occurredAt",
        label: t`Happened`,
        from: "md",
        fits: true,
        cell: ({ occurredAt }) => (occurredAt ? <RelativeTime at={occurredAt} /> : "—"),
      },
      {
        key: "receivedAt",
        label: t`Received`,
        sort: "receivedAt",
        fits: true,
        cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
      },
    ]}
  />
);
