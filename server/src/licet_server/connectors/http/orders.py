"""Routes of orders: their list, and what they brought in."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.connectors.rules.model import OrderFilter, OrderStatus
from licet_server.connectors.schemas.orders import (
    OrderChange,
    OrderDetailsView,
    OrderSums,
    OrderView,
    PurchaseView,
    RetentionStatistics,
    SalesStatistics,
    order_details_view,
    order_sums_view,
    order_view,
    purchase_view,
    retention_statistics,
    sales_statistics,
)
from licet_server.connectors.service import orders
from licet_server.connectors.service.retention import retention
from licet_server.connectors.service.sales import order_sums, sales
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole, PortalReader
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given, instant_of
from licet_server.kit.web.routes import Routes

_READ = InstitutionRole(Role.VIEWER, Scope.CUSTOMERS_READ, Scope.CONNECTORS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.CUSTOMERS_WRITE, Scope.CONNECTORS_WRITE)
ROUTES = Routes("Orders")


def provide_order_filter(
    connector_id: Annotated[UUID | None, QueryParameter(name="connectorId")] = None,
    customer_id: Annotated[UUID | None, QueryParameter(name="customerId")] = None,
    license_id: Annotated[
        UUID | None,
        QueryParameter(name="licenseId", description="Those that the license came of."),
    ] = None,
    product_id: Annotated[
        UUID | None,
        QueryParameter(name="productId", description="With a line under a policy of the product."),
    ] = None,
    only_product: Annotated[
        bool | None,
        QueryParameter(
            name="onlyProduct",
            description="With `productId` and true: of this product, and of no other.",
        ),
    ] = None,
    status: Annotated[OrderStatus | None, QueryParameter(name="status")] = None,
    has_problem: Annotated[
        bool | None,
        QueryParameter(name="hasProblem", description="With a `problem`: something is missing."),
    ] = None,
    disputed: Annotated[
        bool | None,
        QueryParameter(name="disputed", description="With a payment that the buyer disputes."),
    ] = None,
    search: Annotated[
        str | None,
        QueryParameter(
            max_length=200,
            description="Words of the ID in the shop, the address, the customer and what was sold.",
        ),
    ] = None,
    test_mode: Annotated[bool | None, QueryParameter(name="testMode")] = None,
    paid_in: Annotated[
        str | None,
        QueryParameter(
            name="paidIn",
            min_length=3,
            max_length=3,
            description="Paid in this currency, in the period if there is one, as sums count it.",
        ),
    ] = None,
    since: Annotated[
        datetime | None,
        QueryParameter(
            name="from",
            description="Paid or paid back at this time or later; created, if no amount is known.",
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        QueryParameter(
            name="to",
            description="Paid or paid back before this time; created, if no amount is known.",
        ),
    ] = None,
) -> OrderFilter:
    """Return the filters of a query about orders."""
    return OrderFilter(
        connector_id=connector_id,
        customer_id=customer_id,
        license_id=license_id,
        product_id=product_id,
        is_alone=bool(only_product),
        paid_in=None if paid_in is None else paid_in.upper(),
        status=status,
        has_problem=has_problem,
        is_disputed=disputed,
        is_test=test_mode,
        search=(search or "").strip() or None,
        since=instant_of("from", since),
        until=instant_of("to", until),
    )


@ROUTES.get("/api/orders", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_orders(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    order_filter: Given[OrderFilter],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[OrderView]:
    """List orders, including those that no rule matches; with `Accept: text/csv`, all as CSV.

    Sorts by createdAt, updatedAt. Members see none.
    """

    async def fetch(connection: Connection, step: Paging) -> Listing[OrderView]:
        found = await orders.list_orders(connection, operator, institution_id, order_filter, step)
        return found.of(order_view)

    of = institution_id or operator.first_institution
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, "orders.csv", OrderView, fetch
    )


@ROUTES.get("/api/orders/sums", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def show_order_sums(
    db: Given[Connection],
    operator: Given[Operator],
    order_filter: Given[OrderFilter],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> OrderSums:
    """Sum what was paid for the orders that match, each currency for itself.

    With a period, what was paid and paid back in it, as shops date it. Currencies of most orders
    are first. Test sales count only with `testMode=true`. Members see none.
    """
    return order_sums_view(await order_sums(db, operator, institution_id, order_filter))


@ROUTES.get("/api/orders/{order_id:uuid}", access=_READ)
async def show_order(
    db: Given[Connection],
    operator: Given[Operator],
    platform: Given[Platform],
    order_id: FromPath[UUID],
) -> OrderDetailsView:
    """Get an order with its licenses."""
    details = await orders.fetch_order(db, operator, order_id)
    return order_details_view(details, platform.clock())


@ROUTES.put("/api/orders/{order_id:uuid}", access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def change_order(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    order_id: FromPath[UUID],
    data: JSONBody[OrderChange],
) -> OrderDetailsView:
    """Give an order the buyer's address that it lacks; then it is processed.

    Refused once the order has one. An address that the provider names later takes its place.
    """
    details = await orders.give_address(work, operator, order_id, data.email)
    return order_details_view(details, work.now)


SALES_ROUTES = Routes("Statistics")
OnlyProduct = Annotated[
    UUID | None,
    QueryParameter(name="productId", description="Only orders of this product, and of no other."),
]
_YEAR = timedelta(days=365)
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


@SALES_ROUTES.get(
    "/api/statistics/sales",
    access=InstitutionRole(Role.VIEWER, Scope.STATISTICS_READ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def show_sales_statistics(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    product_id: OnlyProduct = None,
    since: Annotated[
        datetime | None,
        QueryParameter(name="from", description="By default a year before the end."),
    ] = None,
    until: Annotated[
        datetime | None, QueryParameter(name="to", description="By default now.")
    ] = None,
) -> SalesStatistics:
    """Sum what the orders of an institution brought in, each currency for itself.

    Each payment counts in the month in which it was made, and each refund when it was paid back;
    test sales do not count. `byCustomer` has the 1,000 largest sums; it is empty for an API
    key without `Customers.Read`. Members see none.
    """
    end = instant_of("to", until) or platform.clock()
    start = instant_of("from", since) or max(end, _EARLIEST) - _YEAR
    found = await sales(db, operator, institution_id, product_id, start, end)
    return sales_statistics(found, start, end)


@SALES_ROUTES.get(
    "/api/statistics/retention",
    access=InstitutionRole(Role.VIEWER, Scope.STATISTICS_READ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def show_retention(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    product_id: OnlyProduct = None,
) -> RetentionStatistics:
    """Count customers by the UTC month of their first purchase, and how many of them renewed.

    The present month and the 24 before it. What cost nothing is no purchase, and test sales do not
    count; refunds change nothing. Members see none.
    """
    return retention_statistics(
        await retention(db, operator, institution_id, product_id, platform.clock())
    )


PORTAL_ROUTES = Routes("Portal")


@PORTAL_ROUTES.get("/api/portal/licenses/{license_id:uuid}/purchases", access=PortalReader())
async def list_own_purchases(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[PurchaseView]:
    """List the orders of a license of the user that have the user's email address.

    Test sales are left out. Sorts by createdAt, updatedAt.
    """
    listing = await orders.list_purchases(db, operator, license_id, paging)
    return listing.of(purchase_view)


@PORTAL_ROUTES.get("/api/portal/purchases", access=PortalReader())
async def list_all_own_purchases(
    db: Given[Connection], operator: Given[Operator], paging: Given[Paging]
) -> Listing[PurchaseView]:
    """List the orders with the user's email address, of the vendors of the user's licenses.

    Test sales are left out. Sorts by createdAt, updatedAt.
    """
    listing = await orders.list_all_purchases(db, operator, paging)
    return listing.of(purchase_view)
