import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense } from "react";
import { EmptyState } from "../../ui/EmptyState";
import { MailIcon, OrderIcon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { DataList } from "../../ui/list/DataList";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { MoreMenu } from "../../ui/menu/MoreMenu";
import { Page } from "../../ui/Page";
import { ButtonLink } from "../../ui/PageLink";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useIsPhone } from "../../ui/useMediaQuery";
import { useUrlParams } from "../../ui/useUrlParams";
import { spanOf } from "../order";
import { BUILT_IN_VIEWS, FILTER_NAMES, NEWEST_FIRST, useFilterKinds } from "./filterKinds";
import { OrderSummary } from "./OrderSummary";
import { OrderTable } from "./OrderTable";

const ReportsDialog = lazy(() => import("./ReportsDialog"));

/** What shops have sold, and the licenses that came of it. */
export default function OrdersPage() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const { params, change } = useUrlParams(); // emails with reports lead to the dialog
  const isShown = can.role !== "Member" || can.isSystemAdmin;
  return (
    <Page
      title={t`Orders`}
      help="connectors"
      subtitle={t`What your shops have sold, and the licenses issued for it.`}
      actions={
        institutionId && isShown && <EmailReports onOpen={() => change({ reports: "open" })} />
      }
    >
      {institutionId && isShown && <OrderList institutionId={institutionId} manage={can.manage} />}
      {(institutionId === null || (institutionId && !isShown)) && (
        <EmptyState icon={<OrderIcon />} title={t`You cannot see orders`}>
          {t`Owners, Admins and Viewers of an institution can.`}
        </EmptyState>
      )}
      {institutionId && isShown && params.get("reports") === "open" && (
        <Suspense fallback={null}>
          <ReportsDialog
            institutionId={institutionId}
            onClose={() => change({ reports: null }, true)}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** Opens the reports; on phones from a menu, so that the list begins higher. */
function EmailReports({ onOpen }: { onOpen: () => void }) {
  if (useIsPhone()) return <MoreMenu acts={[{ label: t`Email reports`, act: onOpen }]} />;
  return (
    <Button variant="outlined" startIcon={<MailIcon />} onClick={onOpen}>
      {t`Email reports`}
    </Button>
  );
}

const REFRESHED_EVERY_MS = 5_000;

interface OrderListProps {
  institutionId: string;
  manage: boolean;
}

/** The orders of an institution, with those that lack something in sight. */
const OrderList = ({ institutionId, manage }: OrderListProps) => (
  <DataList
    path="orders"
    fixed={{ institutionId }}
    filterNames={FILTER_NAMES}
    kinds={useFilterKinds(institutionId, manage)}
    asked={(filters) => ({ ...filters, from: null, to: null, ...spanOf(filters) })}
    sort={NEWEST_FIRST}
    views="Orders"
    builtInViews={BUILT_IN_VIEWS}
    hasCsv
    refetchInterval={REFRESHED_EVERY_MS}
    empty={<NoOrders manage={manage} />}
    toolbar={<SearchFilter placeholder={t`Order, customer or product`} />}
  >
    <OrderSummary institutionId={institutionId} />
    <OrderTable manage={manage} />
  </DataList>
);

const NoOrders = ({ manage }: Pick<OrderListProps, "manage">) => (
  <EmptyState
    icon={<OrderIcon />}
    title={t`No orders yet`}
    action={
      manage && (
        <ButtonLink to="/connectors/new" variant="contained">
          {t`Connect a shop`}
        </ButtonLink>
      )
    }
  >
    {manage
      ? t`Connect your shop, such as Stripe, Paddle or Lemon Squeezy. Each sale then becomes a license automatically, and renewals, refunds and cancellations update it.`
      : t`Sales appear here once an Owner or Admin has connected a shop.`}
  </EmptyState>
);
