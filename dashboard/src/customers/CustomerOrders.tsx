import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import type { Schemas } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { number } from "../ui/formats";
import { DataList } from "../ui/list/DataList";
import { soldWords } from "../ui/orders";
import { RelativeTime } from "../ui/RelativeTime";
import { StatusChip } from "../ui/StatusChip";
import { Table } from "../ui/table/Table";
import { TwoLines } from "../ui/table/TwoLines";
import type { Customer } from "./customer";

type Order = Schemas["Order"];

const pathOf = ({ id }: Order) => `/orders/${id}`;

/** What the customer has bought in shops that are connected. */
export const CustomerOrders = ({ customer }: { customer: Customer }) => (
  <DataList path="orders" fixed={{ customerId: customer.id }} sort="-createdAt">
    <Table<Order>
      label={t`Orders`}
      link={pathOf}
      none={
        <EmptyState title={t`No orders`}>
          {t`Orders of ${{ customer: customer.name }} in connected shops appear here.`}
        </EmptyState>
      }
      columns={[
        {
          key: "externalId",
          label: t`Order`,
          cell: (order) => (
            <TwoLines second={soldWords(order)}>
              <Link component={RouterLink} to={pathOf(order)}>
                {order.externalId}
              </Link>
            </TwoLines>
          ),
        },
        { key: "status", label: t`Status`, cell: ({ status }) => <StatusChip status={status} /> },
        {
          key: "licenseIds",
          label: t`Licenses`,
          align: "end",
          cell: ({ licenseIds }) => number(licenseIds.length),
        },
        { key: "connectorName", label: t`Shop`, from: "md" },
        {
          key: "createdAt",
          label: t`Created`,
          sort: "createdAt",
          from: "md",
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
      ]}
    />
  </DataList>
);
