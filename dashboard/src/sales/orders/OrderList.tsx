import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";
import { OrderIcon } from "../../ui/icons";
import { DataList } from "../../ui/list/DataList";
import { OrderFilters } from "./OrderFilters";
import { OrderTable } from "./OrderTable";
import { UnmatchedBanner } from "./UnmatchedBanner";

const REFRESHED_EVERY_MS = 5_000;

interface OrderListProps {
  institutionId: string;
  manage: boolean;
}

/** The orders of an institution, with those that wait for a rule in sight. */
export const OrderList = ({ institutionId, manage }: OrderListProps) => (
  <DataList
    path="orders"
    fixed={{ institutionId }}
    filterNames={["status", "customerId", ...(manage ? ["connectorId"] : [])]}
    sort="-createdAt"
    refetchInterval={REFRESHED_EVERY_MS}
    empty={<NoOrders manage={manage} />}
    toolbar={
      <>
        <UnmatchedBanner institutionId={institutionId} />
        <OrderFilters institutionId={institutionId} manage={manage} />
      </>
    }
  >
    <OrderTable manage={manage} />
  </DataList>
);

const NoOrders = ({ manage }: Pick<OrderListProps, "manage">) => (
  <EmptyState
    icon={<OrderIcon />}
    title={t`No orders yet`}
    action={
      manage && (
        <Button component={Link} to="/connectors/new" variant="contained">
          {t`Connect a shop`}
        </Button>
      )
    }
  >
    {manage
      ? t`Connect your shop, such as Stripe, Paddle or Lemon Squeezy. Each sale then becomes a license automatically, and renewals, refunds and cancellations update it.`
      : t`Sales appear here once an Owner or Admin has connected a shop.`}
  </EmptyState>
);
