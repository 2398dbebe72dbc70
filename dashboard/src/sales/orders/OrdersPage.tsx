import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense } from "react";
import { useNavigate } from "react-router";
import { $api } from "../../api/client";
import { EmptyState } from "../../ui/EmptyState";
import { ConnectorIcon, MailIcon, OrderIcon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { ChoiceFilter } from "../../ui/list/ChoiceFilter";
import { DataList } from "../../ui/list/DataList";
import { FilterChip } from "../../ui/list/FilterChip";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { useListContext } from "../../ui/list/useList";
import { MoreMenu } from "../../ui/menu/MoreMenu";
import { Page } from "../../ui/Page";
import { ButtonLink } from "../../ui/PageLink";
import { ProductPicker } from "../../ui/ProductPicker";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useIsPhone } from "../../ui/useMediaQuery";
import { useUrlParams } from "../../ui/useUrlParams";
import { CONNECTORS } from "../connector";
import { type Order, ORDER_STATUSES, spanOf } from "../order";
import { OrderSummary } from "./OrderSummary";
import { OrderTable } from "./OrderTable";
import { PeriodFilter } from "../../ui/list/PeriodFilter";
import styles from "./orders.module.css";

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
        <OrderActions
          {...(institutionId && isShown && { onReports: () => change({ reports: "open" }) })}
          manage={can.manage}
        />
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

interface OrderActionsProps {
  /** Opens the reports, for those who see orders. */
  onReports?: () => void;
  manage: boolean;
}

/** What else belongs to orders; on phones in a menu, so that the list begins higher. */
function OrderActions({ onReports, manage }: OrderActionsProps) {
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  if (isPhone)
    return (
      <MoreMenu
        acts={[
          ...(onReports ? [{ label: t`Email reports`, act: onReports }] : []),
          ...(manage ? [{ label: t`Connectors`, act: () => void navigate("/connectors") }] : []),
        ]}
      />
    );
  return (
    <>
      {onReports && (
        <Button variant="outlined" startIcon={<MailIcon />} onClick={onReports}>
          {t`Email reports`}
        </Button>
      )}
      {manage && (
        <ButtonLink to="/connectors" variant="outlined" startIcon={<ConnectorIcon />}>
          {t`Connectors`}
        </ButtonLink>
      )}
    </>
  );
}

const FILTER_NAMES = [
  "search",
  "status",
  "hasProblem",
  "testMode",
  "disputed",
  "from",
  "to",
  "customerId",
  "productId",
  "onlyProduct",
  "paidIn",
];

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
    filterNames={[...FILTER_NAMES, ...(manage ? ["connectorId"] : [])]}
    asked={(filters) => ({ ...filters, from: null, to: null, ...spanOf(filters) })}
    sort="-createdAt"
    views="Orders"
    hasCsv
    refetchInterval={REFRESHED_EVERY_MS}
    empty={<NoOrders manage={manage} />}
    toolbar={<SearchFilter placeholder={t`Order, customer or product`} />}
    narrowing={<OrderFilters institutionId={institutionId} manage={manage} />}
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

interface OrderFiltersProps {
  institutionId: string;
  manage: boolean;
}

/** Filters by status, product, shop, mode, dispute and period, and by what the page has that the user comes from. */
function OrderFilters({ institutionId, manage }: OrderFiltersProps) {
  const { filters, setFilters, items } = useListContext<Order>();
  const query = { institutionId, pageSize: 100, sort: "name" };
  const { data } = $api.useQuery("get", CONNECTORS, { params: { query } }, { enabled: manage });
  const names = new Map(data?.items.map(({ id, name }) => [id, name]));
  const customerId = filters["customerId"];
  const customer = items?.find((order) => order.customerId === customerId)?.customerName;
  return (
    <>
      <ChoiceFilter
        name="status"
        label={t`Status`}
        all={t`All statuses`}
        choices={ORDER_STATUSES}
      />
      <div className={styles.product}>
        <ProductPicker
          all={t`All products`}
          value={filters["productId"] ?? null}
          onChange={(productId) => setFilters({ productId, onlyProduct: null })}
        />
      </div>
      {(names.size > 1 || filters["connectorId"]) && (
        <ChoiceFilter
          name="connectorId"
          label={t`Shop`}
          all={t`All shops`}
          choices={[...names.keys()]}
          wordsOf={(id) => names.get(id) ?? id}
        />
      )}
      <ChoiceFilter
        name="testMode"
        label={t`Mode`}
        all={t`Live and test`}
        choices={["false", "true"]}
        wordsOf={(mode) => (mode === "true" ? t`Test sales` : t`Real sales`)}
      />
      <ChoiceFilter
        name="disputed"
        label={t`Dispute`}
        all={t`Disputed or not`}
        choices={["true", "false"]}
        wordsOf={(is) => (is === "true" ? t`Disputed` : t`Not disputed`)}
      />
      <PeriodFilter />
      {filters["hasProblem"] && (
        <FilterChip
          words={filters["hasProblem"] === "true" ? t`With a problem` : t`Without a problem`}
          onRemove={() => setFilters({ hasProblem: null })}
        />
      )}
      {filters["onlyProduct"] && (
        <FilterChip
          words={t`Of no other product`}
          onRemove={() => setFilters({ onlyProduct: null })}
        />
      )}
      {filters["paidIn"] && (
        <FilterChip
          words={t`Paid in ${{ currency: filters["paidIn"] }}, by UTC days`}
          onRemove={() => setFilters({ paidIn: null })}
        />
      )}
      {customerId && (
        <FilterChip
          words={customer ? t`Customer: ${customer}` : t`Customer: one of them`}
          onRemove={() => setFilters({ customerId: null })}
        />
      )}
    </>
  );
}
