import { t } from "@lingui/core/macro";
import { useState, type ReactNode } from "react";
import { EmptyState } from "../../ui/EmptyState";
import { DataList } from "../../ui/list/DataList";
import { statusKind } from "../../ui/list/filters/filter";
import { useListContext } from "../../ui/list/useList";
import { EVENT_STATUSES, type ShopEvent } from "../connector";
import { EventDrawer, EventTable } from "./EventTable";

const REFRESHED_EVERY_MS = 5_000;
const KINDS = [statusKind(EVENT_STATUSES)];

interface EventListProps {
  connectorId: string;
  /** Shows those of an order only, without filters. */
  orderId?: string;
  /** What is said if there are none. */
  none: ReactNode;
}

/** What a shop has sent, newest first; each with its details beside the list. */
export const EventList = ({ connectorId, orderId, none }: EventListProps) => (
  <DataList
    path={`connectors/${connectorId}/events`}
    {...(orderId !== undefined && { fixed: { orderId }, pageSize: 10, inUrl: false })}
    {...(orderId === undefined && {
      filterNames: ["status"],
      kinds: KINDS,
    })}
    sort="-receivedAt"
    refetchInterval={REFRESHED_EVERY_MS}
    empty={<EmptyState title={t`No events yet`}>{none}</EmptyState>}
  >
    <Events isOfOrder={orderId !== undefined} />
  </DataList>
);

function Events({ isOfOrder }: { isOfOrder: boolean }) {
  const { items } = useListContext<ShopEvent>();
  const [opened, setOpened] = useState<ShopEvent | null>(null);
  return (
    <>
      <EventTable isOfOrder={isOfOrder} onOpen={setOpened} />
      {opened && (
        <EventDrawer
          // The latest data, if the event is still on the page.
          event={items?.find(({ id }) => id === opened.id) ?? opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
