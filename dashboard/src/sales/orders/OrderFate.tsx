import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { date } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { ButtonLink, PageLink } from "../../ui/PageLink";
import type { OrderDetails } from "../order";
import styles from "./orders.module.css";

type License = OrderDetails["licenses"][number];

interface OrderFateProps {
  order: OrderDetails;
  manage: boolean;
}

/** What became of the payment of an order and of its licenses, and what can be done about it. */
export function OrderFate({ order, manage }: OrderFateProps) {
  if (order.disputedAt !== null) return <Dispute order={order} manage={manage} />;
  return order.status === "Refunded" ? <Refund order={order} manage={manage} /> : null;
}

interface ActsProps {
  licenses: readonly License[];
  manage: boolean;
}

const ACTS = {
  suspend: t`Suspend license`,
  reinstate: t`Reinstate license`,
  revoke: t`Revoke license`,
} as const;

const ACTS_ON: Partial<Record<License["status"], (keyof typeof ACTS)[]>> = {
  Active: ["suspend", "revoke"],
  Suspended: ["reinstate", "revoke"],
};

/** What can be done with the license of the order; several are chosen among below. */
function Acts({ licenses: [license, ...others], manage }: ActsProps) {
  if (!manage || !license || others.length > 0) return null;
  const acts = ACTS_ON[license.status] ?? [];
  return (
    acts.length > 0 && (
      <Row gap="s" wraps>
        {acts.map((act) => (
          <ButtonLink
            key={act}
            to={`/licenses/${license.id}?act=${act}`}
            color="inherit"
            size="small"
          >
            {ACTS[act]}
          </ButtonLink>
        ))}
      </Row>
    )
  );
}

/** That the buyer disputes a payment, and since when. */
function Dispute({ order: { disputedAt, licenses }, manage }: OrderFateProps) {
  const day = disputedAt === null ? "" : date(disputedAt);
  const [first, ...others] = licenses.filter(({ status }) => status === "Suspended");
  return (
    <Alert
      severity="warning"
      className={styles.problem}
      action={<Acts licenses={licenses} manage={manage} />}
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
  const [first] = revoked;
  return (
    <Alert
      severity={working.length > 0 ? "warning" : "info"}
      className={styles.problem}
      action={<Acts licenses={licenses} manage={manage} />}
    >
      {at ? t`The order was refunded on ${{ day: date(at) }}.` : t`The order was refunded.`}{" "}
      {working.length > 0 &&
        plural(working.length, {
          one: "Its license still works.",
          other: "# of its licenses still work.",
        })}{" "}
      {first && (
        <Trans>
          Its license is revoked: <PageLink to={`/licenses/${first.id}/events`}>events</PageLink>.
        </Trans>
      )}{" "}
      {manage && (
        <Trans>
          What refunds do is a setting of{" "}
          <PageLink to={`/connectors/${connectorId}`}>{connectorName}</PageLink>.
        </Trans>
      )}
    </Alert>
  );
}
