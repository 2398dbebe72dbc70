import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { DescriptionList } from "../../ui/DescriptionList";
import { dateTime } from "../../ui/formats";
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
      "Customer",
      customerId && customerName ? (
        <Link key="customer" component={RouterLink} to={`/customers/${customerId}`} dir="auto">
          {customerName}
        </Link>
      ) : null,
    ],
    [
      "Shop",
      manage ? (
        <Link key="shop" component={RouterLink} to={`/connectors/${connectorId}`}>
          {connectorName}
        </Link>
      ) : (
        connectorName
      ),
    ],
    ["ID in the shop", <code key="id">{order.externalId}</code>],
    ["Created", dateTime(order.createdAt)],
    ["Last change", <RelativeTime key="updated" at={order.updatedAt} />],
    ...(nextAttemptAt && order.problem === null
      ? [["Checked again", <RelativeTime key="next" at={nextAttemptAt} />] as [string, ReactNode]]
      : []),
  ];
}

/** An order: what was sold, the licenses that came of it, and what the shop has sent. */
export function OrderView({ order }: { order: OrderDetails }) {
  const { manage } = useCan(order.institutionId);
  return (
    <Page
      title={order.externalId ? `Order ${order.externalId}` : "New order"}
      mark={<OrderChip order={order} />}
      help="connectors"
      back={{ to: "/orders", label: "Orders" }}
    >
      <Stack sx={{ gap: 2 }}>
        <OrderProblem order={order} manage={manage} />
        <Section title="Order">
          <DescriptionList facts={factsOf(order, manage)} />
        </Section>
        <OrderLines order={order} />
        <OrderLicenses order={order} />
        {manage && (
          <section aria-labelledby="shop-events">
            <TabHeading title="Events from the shop" help="connectors" id="shop-events">
              The order follows from all of them together, in the order in which the shop says they
              happened.
            </TabHeading>
            <EventList
              connectorId={order.connectorId}
              orderId={order.id}
              none="The events of this order were deleted."
            />
          </section>
        )}
      </Stack>
    </Page>
  );
}
