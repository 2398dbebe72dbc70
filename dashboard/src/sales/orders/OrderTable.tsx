import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { number } from "../../ui/formats";
import { soldWords } from "../../ui/orders";
import { RelativeTime } from "../../ui/RelativeTime";
import type { Column } from "../../ui/table/column";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import { orderPath, type Order } from "../order";
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
      {number(licenseIds.length)} {second === undefined ? "license" : "licenses"}
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
    label: "Order",
    cell: (order) => (
      <TwoLines second={soldWords(order)}>
        <Link component={RouterLink} to={orderPath(order)}>
          {order.externalId || "New order"}
        </Link>
      </TwoLines>
    ),
  },
  { key: "status", label: "Status", cell: (order) => <State order={order} /> },
  { key: "customer", label: "Customer", from: "sm", cell: (order) => <Customer order={order} /> },
  { key: "licenses", label: "Licenses", from: "sm", cell: (order) => <Licenses order={order} /> },
  { key: "connectorName", label: "Shop", from: "lg" },
  {
    key: "createdAt",
    label: "Created",
    sort: "createdAt",
    from: "md",
    fits: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

const RULE: Column<Order> = {
  key: "rule",
  label: "Rule",
  isUnlabeled: true,
  align: "end",
  cell: (order) => order.status === "Unmatched" && <MissingRule order={order} />,
};

/** The orders of the surrounding list. */
export const OrderTable = ({ manage }: { manage: boolean }) => (
  <Table<Order>
    label="Orders"
    link={orderPath}
    none="No order has these properties."
    columns={[...COLUMNS, manage && RULE]}
  />
);
