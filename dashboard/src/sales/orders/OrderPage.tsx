import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useParams } from "react-router";
import { $api, at } from "../../api/client";
import { DescriptionList } from "../../ui/DescriptionList";
import { date, dateTime, list, money } from "../../ui/formats";
import { Item, ItemList } from "../../ui/ItemList";
import { Column } from "../../ui/layout/layout";
import { lineWords, paidText } from "../../ui/orders";
import { Page } from "../../ui/Page";
import { PageLink } from "../../ui/PageLink";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { RelativeTime } from "../../ui/RelativeTime";
import { Section, TabHeading } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { useCan } from "../../ui/useInstitution";
import { useUrlParams } from "../../ui/useUrlParams";
import { EventList } from "../events/EventList";
import { isDue, licensesText, type OrderDetails } from "../order";
import { PolicyName } from "../rules/RuleList";
import styles from "./orders.module.css";
import { MissingAddress } from "./MissingAddress";
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
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
    </Page>
  );
}

function factsOf(order: OrderDetails, manage: boolean): [string, ReactNode][] {
  const { customerId, customerName, connectorId, connectorName, nextAttemptAt } = order;
  return [
    [
      t`Customer`,
      customerId && customerName ? (
        <PageLink key="customer" to={`/customers/${customerId}`} dir="auto">
          {customerName}
        </PageLink>
      ) : null,
    ],
    [t`Email address`, order.email],
    [t`Amount`, paidText(order)],
    ...(order.testMode
      ? [[t`Mode`, t`Test mode: no real money was paid.`] as [string, ReactNode]]
      : []),
    [
      t`Shop`,
      manage ? (
        <PageLink key="shop" to={`/connectors/${connectorId}`}>
          {connectorName}
        </PageLink>
      ) : (
        connectorName
      ),
    ],
    [t`Created`, dateTime(order.createdAt)],
    [t`Last change`, <RelativeTime key="updated" at={order.updatedAt} />],
    ...(nextAttemptAt && order.problem === null
      ? [[t`Checked again`, <RelativeTime key="next" at={nextAttemptAt} />] as [string, ReactNode]]
      : []),
  ];
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
  const { manage } = useCan(order.institutionId);
  const sold = useFocusOnceMatched(order);
  return (
    <Page
      title={order.externalId ? t`Order ${{ order: order.externalId }}` : t`New order`}
      mark={<OrderChip order={order} />}
      help="connectors"
      back={{ to: "/orders", label: t`Orders` }}
    >
      <Column gap="l">
        <OrderProblem order={order} manage={manage} />
        <Refund order={order} />
        <Section title={t`Order`}>
          <DescriptionList facts={factsOf(order, manage)} />
        </Section>
        <div ref={sold} tabIndex={-1} className={styles.sold}>
          <OrderLines order={order} />
        </div>
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

type Line = OrderDetails["lines"][number];

type License = OrderDetails["licenses"][number];

/** Until when a license is valid; one that is revoked is not, whatever its date. */
function endOf({ status, expirationDate }: License): string | null {
  if (status === "Revoked") return null;
  return expirationDate ? t`Expires ${{ day: date(expirationDate) }}` : t`Does not expire`;
}

/** The licenses of an item, each with its status and end. */
const LineLicenses = ({ licenses }: { licenses: License[] }) => (
  <ul className={styles.licenses}>
    {licenses.map((license) => (
      <li key={license.id}>
        <PageLink to={`/licenses/${license.id}`}>{license.licenseName}</PageLink>
        <StatusChip status={license.status} />
        <span>{endOf(license)}</span>
      </li>
    ))}
  </ul>
);

interface GivesProps {
  line: Line;
  order: OrderDetails;
}

const Gives = ({ line, order }: GivesProps) => {
  const { price, product, policyId, licenseIds } = line;
  const licenses = licensesText(licenseIds.length);
  const own = order.licenses.filter(({ id }) => licenseIds.includes(id));
  return (
    <>
      {price !== null && product !== null && <>{t`Product ${product}`} · </>}
      {policyId ? (
        <Trans>
          {licenses} under the policy <PolicyName policyId={policyId} />
        </Trans>
      ) : order.status === "Unmatched" ? (
        t`No license yet`
      ) : (
        t`No license`
      )}
      {own.length > 0 && <LineLicenses licenses={own} />}
    </>
  );
};

/** What was sold, until when it is paid, and the licenses that the buyer has for it. */
function OrderLines({ order }: { order: OrderDetails }) {
  const { lines, licenses, licenseIds } = order;
  const shown = new Set(lines.flatMap((line) => line.licenseIds));
  const others = licenses.filter(({ id }) => !shown.has(id));
  const deleted = licenseIds.length - licenses.length;
  return (
    <Section title={t`What was sold`}>
      {lines.length === 0 && t`No event has reported yet what was sold.`}
      <ItemList label={t`What was sold`}>
        {lines.map((line, place) => (
          <Item
            key={place}
            title={lineWords(line)}
            detail={<Gives line={line} order={order} />}
            end={line.periodEnd && t`Paid until ${{ day: date(line.periodEnd) }}`}
          />
        ))}
        {others.length > 0 && (
          <Item
            title={t`No longer part of the order`}
            detail={<LineLicenses licenses={others} />}
          />
        )}
      </ItemList>
      {deleted > 0 &&
        plural(deleted, { one: "# license was deleted.", other: "# licenses were deleted." })}
    </Section>
  );
}

/** What was paid back, of all that was paid. */
function Refund({
  order: { amount, refundedAmount: refunded, currency },
}: {
  order: OrderDetails;
}) {
  if (!refunded || currency === null) return null;
  const back = money(refunded, currency);
  return (
    <Alert severity="info">
      {amount === null || refunded >= amount
        ? t`${back} refunded in full`
        : t`${back} of ${{ amount: money(amount, currency) }} refunded`}
    </Alert>
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
