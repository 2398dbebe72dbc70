import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { soldWords } from "../../ui/orders";
import { RelativeTime } from "../../ui/RelativeTime";
import type { Column } from "../../ui/table/column";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import { licensesText, orderPath, type Order } from "../order";
import { MissingRule } from "./MissingRule";
import { NextAttempt, OrderChip } from "./OrderState";

const Customer = ({ order: { customerId, customerName } }: { order: Order }) =>
  customerId && customerName ? (
    <Link component={RouterLink} to={`/customers/${customerId}`} dir="auto">
      {customerName}
    </Link>
  ) : (
    "—"
  );

function Licenses({ order: { id, licenseIds } }: { order: Order }) {
  const [first, second] = licenseIds;
  if (first === undefined) return "—";
  const to = second === undefined ? `/licenses/${first}` : orderPath({ id });
  return (
    <Link component={RouterLink} to={to}>
      {licensesText(licenseIds.length)}
    </Link>
  );
}

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
      <TwoLines second={soldWords(order)}>
        <Link component={RouterLink} to={orderPath(order)}>
          {order.externalId || t`New order`}
        </Link>
      </TwoLines>
    ),
  },
  { key: "status", label: t`Status`, cell: (order) => <State order={order} /> },
  { key: "customer", label: t`Customer`, from: "sm", cell: (order) => <Customer order={order} /> },
  { key: "licenses", label: t`Licenses`, from: "sm", cell: (order) => <Licenses order={order} /> },
  { key: "connectorName", label: t`Shop`, from: "lg" },
  {
    key: "createdAt",
    label: t`Created`,
    sort: "createdAt",
    from: "md",
    fits: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

const RULE: Column<Order> = {
  key: "rule",
  label: t`Rule`,
  isUnlabeled: true,
  align: "end",
  cell: (order) => order.status === "Unmatched" && <MissingRule order={order} />,
};

/** The orders of the surrounding list. */
export const OrderTable = ({ manage }: { manage: boolean }) => (
  <Table<Order>
    label={t`Orders`}
    link={orderPath}
    none={t`No orders match these filters.`}
    columns={[...COLUMNS, manage && RULE]}
  />
);
