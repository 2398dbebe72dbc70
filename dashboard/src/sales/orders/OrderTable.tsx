import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { $api, api } from "../../api/client";
import { useListContext } from "../../ui/list/useList";
import { paidText, refundedText, soldWords, statusOf } from "../../ui/orders";
import { PageLink } from "../../ui/PageLink";
import { RelativeTime } from "../../ui/RelativeTime";
import { StatusChip } from "../../ui/StatusChip";
import { TwoLines } from "../../ui/table/cells";
import type { Column } from "../../ui/table/Row";
import { Table } from "../../ui/table/Table";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { CONNECTOR, pathOf } from "../connector";
import { isDue, licensesText, type Order, orderPath, unmatchedIn } from "../order";
import { RuleDialog } from "../rules/RuleDialog";
import styles from "./orders.module.css";

const customerOf = ({ customerId, customerName }: Order) =>
  customerId &&
  customerName && (
    <PageLink to={`/customers/${customerId}`} dir="auto">
      {customerName}
    </PageLink>
  );

function licensesOf({ id, licenseIds }: Order) {
  const [first, second] = licenseIds;
  if (first === undefined) return null;
  const to = second === undefined ? `/licenses/${first}` : orderPath({ id });
  return <PageLink to={to}>{licensesText(licenseIds.length)}</PageLink>;
}

/** What was sold, in one line of the table. */
function Sold({ order }: { order: Order }) {
  const words = soldWords(order);
  return (
    <span className={styles.soldWords} title={words}>
      {words}
    </span>
  );
}

/** What was paid, what of it was paid back, and whether that was no real money. */
const Amount = ({ order }: { order: Order }) => (
  <TwoLines second={refundedText(order) ?? (order.testMode && t`Test mode`)}>
    {paidText(order)}
  </TwoLines>
);

const State = ({ order }: { order: Order }) => (
  <TwoLines second={order.problem && <NextAttempt order={order} />}>
    <OrderChip order={order} />
  </TwoLines>
);

const COLUMNS: readonly Column<Order>[] = [
  {
    key: "externalId",
    label: t`Order`,
    cell: (order) => (
      <TwoLines second={<Sold order={order} />}>
        <PageLink to={orderPath(order)}>{order.externalId || t`New order`}</PageLink>
      </TwoLines>
    ),
  },
  {
    key: "status",
    width: 140,
    label: t`Status`,
    short: "beside",
    cell: (order) => <State order={order} />,
  },
  {
    key: "customer",
    label: t`Customer`,
    short: "plain",
    cell: customerOf,
  },
  {
    key: "amount",
    width: 136,
    label: t`Amount`,
    align: "end",
    fits: true,
    short: "beside",
    cell: (order) => <Amount order={order} />,
  },
  {
    key: "licenses",
    width: 92,
    label: t`Licenses`,
    short: "plain",
    cell: licensesOf,
  },
  { key: "connectorName", label: t`Shop`, width: 104, from: "lg", short: "plain" },
  {
    key: "createdAt",
    label: t`Created`,
    width: 116,
    sort: true,
    fits: true,
    short: "plain",
    as: "recent",
  },
];

const RULE: Column<Order> = {
  key: "problem",
  isRare: true,
  width: 120,
  label: t`Rule`,
  isUnlabeled: true,
  align: "end",
  short: "plain",
  cell: (order) => order.status === "Unmatched" && <MissingRule order={order} />,
};

/** That the filters leave nothing, and the way out of them. */
function NoMatch() {
  const { clearFilters } = useListContext();
  return (
    <div className={styles.none}>
      <span>{t`No orders match these filters.`}</span>
      <Button size="small" onClick={clearFilters}>
        {t`Clear filters`}
      </Button>
    </div>
  );
}

/** The orders of the surrounding list; their shops, if they are of several. */
export function OrderTable({ manage }: { manage: boolean }) {
  const { items = [] } = useListContext<Order>();
  const shops = new Set(items.map(({ connectorId }) => connectorId));
  return (
    <Table<Order>
      label={t`Orders`}
      link={orderPath}
      none={<NoMatch />}
      columns={[
        ...COLUMNS.filter(({ key }) => key !== "connectorName" || shops.size > 1),
        manage && RULE,
      ]}
    />
  );
}

/** The status, or that the buyer disputes what they paid; what cannot be fulfilled waits. */
export const OrderChip = ({ order }: { order: Order }) => (
  <StatusChip status={statusOf(order)} {...(order.problem !== null && { tone: "wait" as const })} />
);

/** When an order with a problem is tried again, in words. */
function NextAttempt({ order }: { order: Order }) {
  if (isDue(order)) return t`Processing…`;
  if (order.nextAttemptAt)
    return (
      <Trans>
        Next attempt <RelativeTime at={order.nextAttemptAt} />
      </Trans>
    );
  return order.status === "Unmatched" ? t`Waits for a rule` : t`Waits for the shop`;
}

interface MissingRuleProps {
  order: Order;
  /** Filled where it is the next step of the page. */
  variant?: "contained" | "outlined";
  /** Asks without the button. */
  isAsked?: boolean;
  onClose?: () => void;
}

/** Creates the rule that an order waits for; then the order is worked on again. */
export function MissingRule({
  order,
  variant = "outlined",
  isAsked = false,
  onClose,
}: MissingRuleProps) {
  const [isPressed, setPressed] = useState(false);
  const isAsking = isPressed || isAsked;
  const notifyChanged = useNotifyChanged();
  const params = pathOf(order.connectorId);
  const connector = $api.useQuery("get", CONNECTOR, { params }, { enabled: isAsking });
  const [sold = order.lines[0]] = unmatchedIn(order, connector.data?.rules ?? []);
  return (
    <>
      <Button
        size="small"
        variant={variant}
        className={styles.action}
        aria-label={t`Create rule for order ${{ order: order.externalId }}`}
        onClick={() => {
          setPressed(true);
          if (connector.isError) void connector.refetch();
        }}
      >
        {t`Create rule`}
      </Button>
      {isAsking && connector.data && (
        <RuleDialog
          {...(sold && { sold })}
          others={connector.data.rules}
          onSave={async (rule) => {
            await api.POST("/api/connectors/{connectorId}/rules", { params, body: rule });
            notifyChanged(t`Rule created. The orders that waited for it are being processed.`);
          }}
          onClose={() => {
            setPressed(false);
            onClose?.();
          }}
        />
      )}
    </>
  );
}
