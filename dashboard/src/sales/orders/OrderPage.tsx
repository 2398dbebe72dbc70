import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { useLayoutEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import { $api, at } from "../../api/client";
import { list } from "../../ui/formats";
import { HelpLink } from "../../ui/help";
import { Column } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { lineWords, paidText, refundedText } from "../../ui/orders";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { SkeletonRows } from "../../ui/SkeletonRows";
import { RelativeTime } from "../../ui/RelativeTime";
import { useCan, useFollowed } from "../../ui/useInstitution";
import { useVisited } from "../../ui/visited";
import { useUrlParams } from "../../ui/useUrlParams";
import { EventList } from "../events/EventList";
import { isDue, type OrderDetails, orderPath } from "../order";
import styles from "./orders.module.css";
import { MissingAddress } from "./MissingAddress";
import { OrderBuyer } from "./OrderBuyer";
import { OrderFate } from "./OrderFate";
import { OrderLines } from "./OrderLines";
import { OrderStory } from "./OrderStory";
import { MissingRule, OrderChip } from "./OrderTable";

const BACK = { to: "/orders", label: t`Orders` };
const WHILE_DUE_MS = 1_500;
const OTHERWISE_MS = 15_000;

/** An order, which is followed while it is worked on. */
export default function OrderPage() {
  const { orderId = "" } = useParams();
  const { data, error, refetch } = $api.useQuery("get", "/api/orders/{orderId}", at({ orderId }), {
    refetchInterval: ({ state }) =>
      !state.error && (state.data && isDue(state.data) ? WHILE_DUE_MS : OTHERWISE_MS),
  });
  if (data) return <OrderView key={orderId} order={data} />;
  return (
    <Page title={t`Order`} help="connectors" back={BACK}>
      {error ? <ProblemAlert error={error} retry={() => void refetch()} /> : <SkeletonRows />}
    </Page>
  );
}

/** Where the focus goes when the button that created the rule is gone: to what came of it. */
function useFocusOnceMatched(order: OrderDetails) {
  const sold = useRef<HTMLDivElement>(null);
  const waits = order.status === "Unmatched" && !isDue(order);
  const hasWaited = useRef(waits);
  useLayoutEffect(() => {
    if (hasWaited.current && !waits && document.activeElement === document.body)
      sold.current?.focus();
    hasWaited.current = waits;
  }, [waits]);
  return sold;
}

/** An order: what was sold, the licenses that came of it, and what the shop has sent. */
function OrderView({ order }: { order: OrderDetails }) {
  useFollowed(order.institutionId);
  useVisited(
    order.externalId
      ? {
          key: order.id,
          kind: "Order",
          label: order.externalId,
          detail: order.customerName ?? order.email ?? "",
          to: orderPath(order),
        }
      : undefined,
  );
  const { manage } = useCan(order.institutionId);
  const sold = useFocusOnceMatched(order);
  return (
    <Page
      title={order.externalId ? t`Order ${{ order: order.externalId }}` : t`New order`}
      mark={<OrderSum order={order} />}
      subtitle={<OrderBuyer order={order} manage={manage} />}
      help="connectors"
      back={{ to: "/orders", label: t`Orders` }}
    >
      <Column gap="l">
        <OrderProblem order={order} manage={manage} />
        <OrderFate order={order} manage={manage} />
        <div ref={sold} tabIndex={-1} className={styles.sold}>
          <OrderLines order={order} manage={manage} />
        </div>
        <OrderStory order={order} manage={manage} />
        {manage && <OrderEvents order={order} />}
      </Column>
    </Page>
  );
}

/** What was paid and what of it was paid back, with the status. */
function OrderSum({ order }: { order: OrderDetails }) {
  const [paid, refunded] = [paidText(order), refundedText(order)];
  return (
    <span className={styles.sum}>
      {paid && <b>{paid}</b>}
      <OrderChip order={order} />
      {refunded && <Muted component="span">{refunded}</Muted>}
    </span>
  );
}

/** What the shop has sent about an order, once somebody asks. */
function OrderEvents({ order }: { order: OrderDetails }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label={t`Events from the shop`}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles.fold}>{t`Events from the shop`}</summary>
        {isOpen && (
          <>
            <Muted className={styles.folded}>
              {t`All events together decide the state of the order, sorted by the time the shop gives for each.`}{" "}
              <HelpLink topic="connectors" />
            </Muted>
            <EventList
              connectorId={order.connectorId}
              orderId={order.id}
              none={t`The events of this order were deleted.`}
            />
          </>
        )}
      </details>
    </section>
  );
}

interface OrderProblemProps {
  order: OrderDetails;
  manage: boolean;
}

/** Why an order has no licenses, or not all, and what helps. */
function OrderProblem({ order, manage }: OrderProblemProps) {
  const { params, change } = useUrlParams();
  if (isDue(order))
    return (
      <Alert severity="info" role="status">
        {t`Processing…`}
      </Alert>
    );
  if (order.status === "Unmatched")
    return (
      <Alert
        severity="warning"
        className={styles.problem}
        action={
          manage && (
            <MissingRule
              order={order}
              variant="contained"
              isAsked={params.get("act") === "rule"}
              onClose={() => change({ act: null }, true)}
            />
          )
        }
      >
        {t`No rule matches ${{ sold: unmatchedOf(order) }} yet, so this order has no license.`}
        {!manage && <> {t`An Owner or Admin can create it.`}</>}
      </Alert>
    );
  if (order.problem === null) return null;
  return (
    <Alert
      severity="warning"
      className={styles.problem}
      action={manage && order.email === null && <MissingAddress order={order} />}
    >
      {order.problem}{" "}
      {order.nextAttemptAt ? (
        <Trans>
          Next attempt <RelativeTime at={order.nextAttemptAt} />.
        </Trans>
      ) : (
        t`Waits for the shop.`
      )}
    </Alert>
  );
}

/** What has no policy; some of it may be meant to have none. */
function unmatchedOf({ lines }: OrderDetails): string {
  const open = lines.filter(({ policyId }) => policyId === null);
  return list((open.length > 0 ? open : lines).map((line) => lineWords({ ...line, quantity: 1 })));
}
