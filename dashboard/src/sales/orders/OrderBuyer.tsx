import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { $api, at } from "../../api/client";
import { CopyButton } from "../../ui/CopyButton";
import { PersonEmblem } from "../../ui/Emblem";
import { dateTime } from "../../ui/formats";
import { PageLink } from "../../ui/PageLink";
import { RelativeTime } from "../../ui/RelativeTime";
import { StatusChip } from "../../ui/StatusChip";
import { KIND_LABELS } from "../connector";
import type { OrderDetails } from "../order";
import { shopPage } from "../shopPages";
import styles from "./orders.module.css";
import { useConnector } from "./useConnector";

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
      <ShopPage order={order} manage={manage} />
      <Part label={t`Ordered`}>{dateTime(orderedAt(order))}</Part>
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

/** When it was first paid, as the shop says, or else when the shop reported it. */
const orderedAt = ({ payments: [first], createdAt }: OrderDetails): string =>
  first && first.happenedAt < createdAt ? first.happenedAt : createdAt;

/** Leads to the order in the shop, if its address there is known. */
function ShopPage({ order, manage }: OrderBuyerProps) {
  const connector = useConnector(order, manage);
  const page = connector && shopPage(connector.kind, order);
  if (!page) return null;
  return (
    <Link href={page} target="_blank" rel="noreferrer">
      {t`Open in ${{ shop: KIND_LABELS[connector.kind] }}`}
    </Link>
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
