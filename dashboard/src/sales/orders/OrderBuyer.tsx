import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { $api, at } from "../../api/client";
import { CopyButton } from "../../ui/CopyButton";
import { PersonEmblem } from "../../ui/Emblem";
import { dateTime } from "../../ui/formats";
import { PageLink } from "../../ui/PageLink";
import { RelativeTime } from "../../ui/RelativeTime";
import { StatusChip } from "../../ui/StatusChip";
import type { OrderDetails } from "../order";
import styles from "./orders.module.css";

interface OrderBuyerProps {
  order: OrderDetails;
  manage: boolean;
}

/** Who bought, in which shop and when, in one line below the number of the order. */
export function OrderBuyer({ order, manage }: OrderBuyerProps) {
  const { customerName, email, connectorId, connectorName, nextAttemptAt, problem } = order;
  const name = customerName ?? email;
  return (
    <div className={styles.buyer}>
      {name !== null && (
        <span className={styles.who}>
          <PersonEmblem name={name} />
          <Name order={order} />
        </span>
      )}
      {email !== null && (
        <span className={styles.who}>
          {email !== name && email}
          <CopyButton value={email} label={t`Copy email`} />
        </span>
      )}
      <Part label={t`Shop`}>
        {manage ? (
          <PageLink to={`/connectors/${connectorId}`}>{connectorName}</PageLink>
        ) : (
          connectorName
        )}
      </Part>
      <Part label={t`Created`}>{dateTime(order.createdAt)}</Part>
      {nextAttemptAt && problem === null && (
        <Part label={t`Checked again`}>
          <RelativeTime at={nextAttemptAt} />
        </Part>
      )}
      {order.testMode && (
        <span className={styles.who}>
          <StatusChip status="Test" /> {t`No real money was paid.`}
        </span>
      )}
    </div>
  );
}

/** The customer with their company, once there is one; before, the address that the shop named. */
function Name({ order: { customerId, customerName, email } }: { order: OrderDetails }) {
  const { data: customer } = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    at({ customerId: customerId ?? "" }),
    { enabled: customerId !== null },
  );
  if (customerId === null || customerName === null) return <bdi>{email}</bdi>;
  const company = customer?.company;
  return (
    <span>
      <PageLink to={`/customers/${customerId}`} dir="auto">
        {customerName}
      </PageLink>
      {company && company !== customerName && <bdi>, {company}</bdi>}
    </span>
  );
}

const Part = ({ label, children }: { label: string; children: ReactNode }) => (
  <span>
    {label} <b>{children}</b>
  </span>
);
