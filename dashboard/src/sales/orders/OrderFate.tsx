import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { date } from "../../ui/formats";
import { PageLink } from "../../ui/PageLink";
import { KIND_LABELS } from "../connector";
import type { OrderDetails } from "../order";
import { shopPage } from "../shopPages";
import { LicenseActs } from "./LicenseActs";
import styles from "./orders.module.css";
import { useConnector } from "./useConnector";

interface OrderFateProps {
  order: OrderDetails;
  manage: boolean;
}

/** What became of the payment of an order and of its licenses, and what can be done about it. */
export function OrderFate({ order, manage }: OrderFateProps) {
  if (order.disputedAt !== null) return <Dispute order={order} manage={manage} />;
  return order.status === "Refunded" ? <Refund order={order} manage={manage} /> : null;
}

/** What can be done about it in the shop and with the license; several are chosen among below. */
function Acts({ order, manage }: OrderFateProps) {
  const [license, ...others] = order.licenses;
  return (
    <div className={styles.acts}>
      {order.disputedAt !== null && <Respond order={order} manage={manage} />}
      {manage && license && others.length === 0 && <LicenseActs license={license} />}
    </div>
  );
}

/** Leads to where the shop shows the dispute, if its address is known. */
function Respond({ order, manage }: OrderFateProps) {
  const connector = useConnector(order, manage);
  const page = connector && shopPage(connector.kind, order);
  if (!page) return null;
  return (
    <Button
      href={page}
      target="_blank"
      rel="noreferrer"
      color="inherit"
      size="small"
      className={styles.action}
    >
      {t`Respond in ${{ shop: KIND_LABELS[connector.kind] }}`}
    </Button>
  );
}

/** That the buyer disputes a payment, and since when. */
function Dispute({ order, manage }: OrderFateProps) {
  const { disputedAt, licenses } = order;
  const day = disputedAt === null ? "" : date(disputedAt);
  const [first, ...others] = licenses.filter(({ status }) => status === "Suspended");
  return (
    <Alert
      severity="warning"
      className={styles.problem}
      action={<Acts order={order} manage={manage} />}
    >
      {t`The buyer disputed a payment on ${day}.`}{" "}
      {first &&
        (others.length > 0 ? (
          t`The suspended licenses work again once the dispute is won.`
        ) : (
          <Trans>
            <PageLink to={`/licenses/${first.id}`}>The license</PageLink> is suspended until the
            dispute is won.
          </Trans>
        ))}
    </Alert>
  );
}

const refundedAt = ({ payments }: OrderDetails): string | undefined =>
  payments.findLast(({ kind, amount }) => kind === "Refund" && amount > 0)?.happenedAt;

/** That everything was paid back, and what the licenses are since then. */
function Refund({ order, manage }: OrderFateProps) {
  const { licenses, connectorId, connectorName } = order;
  const at = refundedAt(order);
  const working = licenses.filter(({ status }) => status === "Active");
  const revoked = licenses.filter(({ status }) => status === "Revoked");
  return (
    <Alert
      severity={working.length > 0 ? "warning" : "info"}
      className={styles.problem}
      action={<Acts order={order} manage={manage} />}
    >
      {at ? t`The order was refunded on ${{ day: date(at) }}.` : t`The order was refunded.`}{" "}
      {working.length > 0 &&
        plural(working.length, {
          one: "Its license still works.",
          other: "# of its licenses still work.",
        })}{" "}
      {revoked.length > 0 &&
        plural(revoked.length, {
          one: "Its license is revoked.",
          other: "# of its licenses are revoked.",
        })}{" "}
      {manage && (
        <Trans>
          What refunds do is a setting of{" "}
          <PageLink to={`/connectors/${connectorId}`}>{connectorName}</PageLink>.
        </Trans>
      )}
    </Alert>
  );
}
