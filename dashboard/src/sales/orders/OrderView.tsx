import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { DescriptionList } from "../../ui/DescriptionList";
import { dateTime } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { Page } from "../../ui/Page";
import { RelativeTime } from "../../ui/RelativeTime";
import { Section } from "../../ui/Section";
import { TabHeading } from "../../ui/TabHeading";
import { useCan } from "../../ui/useInstitution";
import { EventList } from "../events/EventList";
import type { OrderDetails } from "../order";
import { OrderLicenses } from "./OrderLicenses";
import { OrderLines } from "./OrderLines";
import { OrderProblem } from "./OrderProblem";
import { OrderChip } from "./OrderState";

function factsOf(order: OrderDetails, manage: boolean): [string, ReactNode][] {
  const { customerId, customerName, connectorId, connectorName, nextAttemptAt } = order;
  return [
    [
      t`Customer`,
      customerId && customerName ? (
        <Link key="customer" component={RouterLink} to={`/customers/${customerId}`} dir="auto">
          {customerName}
        </Link>
      ) : null,
    ],
    [
      t`Shop`,
      manage ? (
        <Link key="shop" component={RouterLink} to={`/connectors/${connectorId}`}>
          {connectorName}
        </Link>
      ) : (
        connectorName
      ),
    ],
    [t`ID in the shop`, <code key="id">{order.externalId}</code>],
    [t`Created`, dateTime(order.createdAt)],
    [t`Last change`, <RelativeTime key="updated" at={order.updatedAt} />],
    ...(nextAttemptAt && order.problem === null
      ? [[t`Checked again`, <RelativeTime key="next" at={nextAttemptAt} />] as [string, ReactNode]]
      : []),
  ];
}

/** An order: what was sold, the licenses that came of it, and what the shop has sent. */
export function OrderView({ order }: { order: OrderDetails }) {
  const { manage } = useCan(order.institutionId);
  return (
    <Page
      title={order.externalId ? t`Order ${{ order: order.externalId }}` : t`New order`}
      mark={<OrderChip order={order} />}
      help="connectors"
      back={{ to: "/orders", label: t`Orders` }}
    >
      <Column gap="l">
        <OrderProblem order={order} manage={manage} />
        <Section title={t`Order`}>
          <DescriptionList facts={factsOf(order, manage)} />
        </Section>
        <OrderLines order={order} />
        <OrderLicenses order={order} />
        {manage && (
          <section aria-labelledby="shop-events">
            <TabHeading title={t`Events from the shop`} help="connectors" id="shop-events">
              {t`All events together decide the state of the order, sorted by the time the shop gives for each.`}
            </TabHeading>
            <EventList
              connectorId={order.connectorId}
              orderId={order.id}
              none={t`The events of this order were deleted.`}
            />
          </section>
        )}
      </Column>
    </Page>
  );
}
